import { InputError } from '@backstage/errors';
import type {
  ManagedClusterSet,
  NamespacedName,
  Placement,
  PlacementOptions,
  PlacementPreview,
  PlacementSelection,
} from 'backstage-plugin-argocd-fleet-common';
import {
  clusterSetsOf,
  placementManifest,
  placementOptions,
  previewPlacement,
  type PlacementInputs,
} from '../model/placement';
import { grantFor, placementRefusal, withinGrant } from '../model/writes';
import type { ApiHub } from './apiHub';
import { HubUnavailableError } from './hubErrorResponse';
import type { Visibility } from './visibility';

type CachedHub = Pick<ApiHub, 'name' | 'cache' | 'writes'>;

/**
 * What a form for a Placement offers on a hub, as far as the hub is known now: nothing that would be refused.
 * @param offers - whether the form offers a namespace of the hub, whose objects these owners have; undefined for any
 */
export function listPlacementOptions(
  cachedHub: CachedHub,
  visibility: Visibility,
  offers: (namespace: string, owners?: readonly string[]) => boolean,
): PlacementOptions {
  const { name: hub, cache, writes } = cachedHub;
  const applicationSets = Array.from(
    cache.applicationSets.list(),
    ({ metadata: { namespace = '', name } }) => ({ hub, namespace, name }),
  ).filter(visibility.applicationSet);
  const options = placementOptions(
    hub,
    inputsOf(cachedHub, visibility),
    applicationSets,
  );
  const namespaces = options.namespaces.flatMap(
    ({ clusterSets, ...namespace }) => {
      const grant = grantFor(writes, hub, namespace.name);
      if (typeof grant === 'string' || !offers(namespace.name, grant.owners)) {
        return [];
      }
      const { projects, repositories, destinationNamespaces } = grant;
      const allowed = grant.clusterSets;
      return [
        {
          ...namespace,
          clusterSets: clusterSets.filter(
            name => allowed?.includes(name) ?? true,
          ),
          projects: [...projects],
          repositories: [...repositories],
          destinationNamespaces: [...destinationNamespaces],
        },
      ];
    },
  );
  return {
    ...options,
    namespaces,
    ...(namespaces.length === 0 && { emptyReason: emptyReason(cachedHub) }),
  };
}

function emptyReason({ name, writes }: CachedHub): string {
  const { refusal, grants, key } = writes;
  if (refusal !== undefined) {
    return `${refusal}.`;
  }
  return grants.length === 0
    ? `The portal may write nothing on the hub "${name}". An administrator of this portal can allow it with ${key}.`
    : `In no namespace of the hub "${name}" you may create an application: ${key} must allow the namespace, a cluster set must be bound to it, and you need the permission to create ApplicationSets there.`;
}

/**
 * The clusters that a Placement would select now.
 * @throws InputError where the configuration does not let the portal write it; HubUnavailableError while a resource
 *   that decides it is not completely known
 */
export function previewSelection(
  hub: CachedHub,
  namespace: string,
  selection: PlacementSelection,
  visibility: Visibility,
): PlacementPreview {
  const preview = previewPlacement(
    wantedPlacement(hub, namespace, selection),
    inputsOf(hub, visibility),
  );
  // Sets that the request does not name are not missed where they are not bound.
  return selection.clusterSets?.length
    ? preview
    : { ...preview, unboundSets: [] };
}

/**
 * The Placement that a request would write, in full.
 * @throws InputError where the configuration does not let the portal write it; HubUnavailableError while a resource
 *   that decides what it selects is not completely known
 */
export function wantedPlacement(
  { name: hub, cache, writes }: CachedHub,
  namespace: string,
  selection: PlacementSelection,
): Placement {
  const grant = grantFor(writes, hub, namespace);
  if (typeof grant === 'string') {
    throw new InputError(grant);
  }
  const refusal = placementRefusal(grant, selection);
  if (refusal) {
    throw new InputError(refusal);
  }
  const [reason] = cache.unsyncedReasons([
    'clusters',
    'clusterSets',
    'clusterSetBindings',
  ]);
  if (reason) {
    throw new HubUnavailableError(reason);
  }
  const ref: NamespacedName = { namespace, name: 'preview' };
  return placementManifest(ref, withinGrant(grant, selection));
}

/**
 * What the caller sees of the objects that decide.
 * @param known - names of clusters that the caller knows by an ApplicationSet on them
 */
export function inputsOf(
  { name: hub, cache }: CachedHub,
  visibility: Visibility,
  known: ReadonlySet<string> = new Set(),
): PlacementInputs {
  const bindings = [...cache.clusterSetBindings.list()];
  const clusterSets = [...cache.clusterSets.list()];
  const clusters = [...cache.clusters.list()];
  if (visibility.allClusters) {
    return { clusters, clusterSets, bindings };
  }
  const visible = clusters.filter(
    ({ metadata: { name } }) =>
      known.has(name) || visibility.cluster(hub, name),
  );
  return {
    clusters: visible,
    clusterSets: setsWithMembers(clusterSets, visible),
    bindings,
  };
}

/** A set without a visible cluster is not shown: it would tell that others have one of that name. */
function setsWithMembers(
  sets: readonly ManagedClusterSet[],
  clusters: PlacementInputs['clusters'],
): ManagedClusterSet[] {
  const names = new Set(
    clusters.flatMap(cluster => clusterSetsOf(cluster, sets)),
  );
  return sets.filter(({ metadata }) => names.has(metadata.name));
}
