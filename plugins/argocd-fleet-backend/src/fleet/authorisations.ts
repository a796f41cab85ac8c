import {
  PLACEMENT_LABEL,
  type KubernetesObject,
  type ManagedClusterSet,
  type PlacementDecision,
} from 'backstage-plugin-argocd-fleet-common';
import { objectKey, parseKey } from '../kubernetes/client';
import { sameJson } from '../model/json';
import {
  authorise,
  boundSetName,
  isMember,
  type Authorisation,
} from '../model/placement';
import { identityChanged, redecidedClusters } from './eventPredicates';
import type { FleetCache, FleetEvent } from './fleetCache';
import { decidedClusters } from './indexes';

/** Resources that decide, beside the decisions and clusters themselves, whether a decision counts. */
export const AUTHORISING_RESOURCES = [
  'placements',
  'clusterSets',
  'clusterSetBindings',
] as const;

/** A cluster, for Applications and imports of one namespace. */
export interface Selection {
  readonly namespace: string;
  readonly cluster: string;
}

/**
 * Whether the decisions of a namespace authorise to deliver to a cluster. Takes as many lookups as there are decisions
 * that name the cluster, and bindings in the namespace.
 * @param placement - only the decisions of the Placement of this name; all by default
 */
export function authorisationOf(
  cache: FleetCache,
  namespace: string,
  cluster: string,
  placement?: string,
): Authorisation {
  const decisions = cache.decisions.by(
    'cluster',
    objectKey({ namespace, name: cluster }),
  );
  return authorise(
    placement === undefined
      ? decisions
      : decisions.filter(
          ({ metadata }) => metadata.labels?.[PLACEMENT_LABEL] === placement,
        ),
    {
      placement: cache.isKnown('placements')
        ? name => readableOnly(cache.placements.get(objectKey(name)))
        : undefined,
      get boundSets() {
        return cache.isKnown('clusterSets') &&
          cache.isKnown('clusterSetBindings')
          ? boundSetsWith(cache, namespace, cluster)
          : undefined;
      },
      get isPending() {
        return isAuthorisationPending(cache);
      },
    },
  );
}

/** Whether it is known which decisions count. */
export function isAuthorisationKnown(cache: FleetCache): boolean {
  return AUTHORISING_RESOURCES.every(name => cache.isKnown(name));
}

/** Whether it will be known soon which decisions count: a list has not ended yet, and nothing forbids it. */
export function isAuthorisationPending(cache: FleetCache): boolean {
  return AUTHORISING_RESOURCES.some(name => {
    if (cache.isKnown(name)) {
      return false;
    }
    const { failure } = cache.states()[name];
    return failure?.kind !== 'forbidden' && failure?.kind !== 'notServed';
  });
}

/** Clusters that an event of another object than the cluster itself may authorise, or not any more. */
export function reauthorised(
  event: FleetEvent,
  cache: FleetCache,
): readonly Selection[] {
  switch (event.resource) {
    case 'decisions': {
      const { before, after } = event;
      const { namespace = '' } = (after ?? before)!.metadata;
      const clusters = sameOrigin(before, after)
        ? redecidedClusters(event)
        : new Set([...decidedClusters(before), ...decidedClusters(after)]);
      return Array.from(clusters, cluster => ({ namespace, cluster }));
    }
    case 'placements':
      return identityChanged(event) ||
        !sameJson(
          event.before?.spec?.clusterSets,
          event.after?.spec?.clusterSets,
        )
        ? selectionsOf(
            parseKey(event.key).namespace,
            cache.decisions.by('placement', event.key),
          )
        : [];
    case 'clusterSetBindings': {
      const before = event.before && boundSetName(event.before);
      const after = event.after && boundSetName(event.after);
      const set = cache.clusterSets.get(after ?? before ?? '');
      const { namespace = '' } = (event.after ?? event.before)!.metadata;
      return before !== after && set
        ? decidedMembers(cache, namespace, [set])
        : [];
    }
    case 'clusterSets': {
      const { before, after } = event;
      const sets = [before, after].filter(set => set !== undefined);
      return before && after && sameJson(before.spec, after.spec)
        ? []
        : cache.clusterSetBindings
            .by('clusterSet', event.key)
            .flatMap(({ metadata }) =>
              decidedMembers(cache, metadata.namespace ?? '', sets),
            );
    }
    default:
      return [];
  }
}

/** Names of the sets that contain the cluster and are bound to the namespace. */
function boundSetsWith(
  cache: FleetCache,
  namespace: string,
  name: string,
): string[] {
  const cluster = cache.clusters.get(name);
  return cluster
    ? cache.clusterSetBindings
        .by('namespace', namespace)
        .flatMap(
          binding =>
            readableOnly(cache.clusterSets.get(boundSetName(binding)!)) ?? [],
        )
        .filter(set => isMember(cluster, set))
        .map(({ metadata }) => metadata.name)
    : [];
}

/** Nothing is allowed by an object of which only the metadata are known. */
function readableOnly<T extends KubernetesObject>(object: T | undefined) {
  return object?.unreadable ? undefined : object;
}

/** What the decisions of the namespace select in one of these sets. */
function decidedMembers(
  cache: FleetCache,
  namespace: string,
  sets: readonly ManagedClusterSet[],
): Selection[] {
  const decisions = cache.decisions.by('namespace', namespace);
  return selectionsOf(namespace, decisions).filter(selection => {
    const cluster = cache.clusters.get(selection.cluster);
    return cluster && sets.some(set => isMember(cluster, set));
  });
}

/** Each cluster once: a tenant may have any number of decisions that name it. */
function selectionsOf(
  namespace: string,
  decisions: readonly PlacementDecision[],
): Selection[] {
  return Array.from(new Set(decisions.flatMap(decidedClusters)), cluster => ({
    namespace,
    cluster,
  }));
}

/** Whether a decision names the same Placement as before, and is controlled by the same object. */
export function sameOrigin(
  before: PlacementDecision | undefined,
  after: PlacementDecision | undefined,
): boolean {
  const originOf = (decision: PlacementDecision | undefined) => [
    decision?.metadata.labels?.[PLACEMENT_LABEL],
    decision?.metadata.ownerReferences,
  ];
  return !before || !after || sameJson(originOf(before), originOf(after));
}
