import type {
  ApplicationSetRows,
  ArgoApplicationSet,
  ClusterApplication,
  ClusterNames,
  ObjectRef,
  Placement,
  PlacementChange,
  PlacementInUse,
  PlacementSelection,
} from 'backstage-plugin-argocd-fleet-common';
import { objectKey } from '../kubernetes/client';
import { isRecord } from '../model/json';
import {
  previewPlacement,
  selectClusters,
  selectionOf,
} from '../model/placement';
import { placementNamesOf } from '../model/views';
import { grantFor, isOurs, isTracked, placementOwner } from '../model/writes';
import type { ApiHub } from './apiHub';
import { isWrittenSelection } from './hubWrites';
import { usersOf } from './placementUse';
import { inputsOf, wantedPlacement } from './placementViews';
import type { Visibility } from './visibility';

/** Names in one list. */
const MAX_NAMES = 10;

/** Whether the portal could write a Placement again as it is, by the object in the cache: it is asked for as events come. */
const rewritable = new WeakMap<Placement, Promise<boolean>>();

/**
 * What the Placement of an ApplicationSet selects, and whether the portal can change it for this ApplicationSet alone.
 * @throws HubUnavailableError while the hub's ApplicationSets are not completely known; KubernetesError where the hub does not
 * answer, or the backend's account may not get or patch the Placement
 */
export async function placementInUse(
  hub: ApiHub,
  ref: ObjectRef,
): Promise<PlacementInUse> {
  const set = hub.cache.applicationSets.get(objectKey(ref));
  const [name, ...others] = set ? placementNamesOf(set) : [];
  if (name === undefined || others.length > 0 || hasOtherGenerators(set)) {
    return { fixed: 'It does not take its clusters from one Placement alone' };
  }
  const key = { namespace: ref.namespace, name };
  const placement = { ...key, hub: ref.hub };
  const object = hub.cache.placements.get(objectKey(key));
  if (!object) {
    return { placement, fixed: `Its Placement ${name} does not exist` };
  }
  const users = usersOf(hub, key);
  const grant = grantFor(hub.writes, hub.name, ref.namespace);
  // What both would write, Argo CD would undo.
  const keptInGit = isTracked(object) && !isOurs(object);
  const fixed =
    typeof grant === 'string'
      ? grant
      : (reasonOf(object, users.length) ??
        ((await isRewritable(hub, object))
          ? undefined
          : `Its Placement ${name} says more than the portal writes, which would be lost: change it ${keptInGit ? 'in Git' : 'on the hub'}`));
  const owner = placementOwner(object, () => users);
  return {
    placement,
    selection: { ...selectionOf(object), ...(owner && { owner }) },
    ...(fixed !== undefined && { fixed }),
    ...(keptInGit && { keptInGit }),
  };
}

/** Why the portal must not change a Placement; undefined where it may. */
function reasonOf(object: Placement, users: number): string | undefined {
  const { name } = object.metadata;
  if (!isOurs(object) && !isTracked(object)) {
    return `Its Placement ${name} was not made by the portal: change it where it is kept`;
  }
  if (isOurs(object) && isTracked(object)) {
    return `Its Placement ${name} is the portal's, and kept in Git by an Argo CD Application too: both would write it. Change it in Git`;
  }
  return users > 1
    ? `Its Placement ${name} is used by other ApplicationSets too, whose clusters would change with it: give this one a Placement of its own`
    : undefined;
}

async function isRewritable(hub: ApiHub, object: Placement): Promise<boolean> {
  const { namespace = '', name } = object.metadata;
  const known =
    rewritable.get(object) ?? isWrittenSelection(hub, { namespace, name });
  rewritable.set(object, known);
  try {
    return await known;
  } catch (error) {
    rewritable.delete(object);
    throw error;
  }
}

/**
 * What another selection would change. Where more clusters match than are to be selected, the hub keeps those that it has.
 * @param set - as it is on its clusters now, which the caller therefore knows
 * @param detailsOf - of an Application: what it has deployed
 * @throws InputError where the configuration does not let the portal write it; HubUnavailableError
 */
export function placementChange(
  hub: ApiHub,
  set: ApplicationSetRows,
  selection: PlacementSelection,
  visibility: Visibility,
  detailsOf: (
    application: ApplicationSetRows['applications'][number],
  ) => ClusterApplication | undefined,
): PlacementChange {
  const now = new Set(set.applications.map(({ cluster }) => cluster.name));
  const wanted = wantedPlacement(hub, set.ref.namespace, selection);
  const inputs = inputsOf(hub, visibility, now);
  const { names, selected } = selectClusters(wanted, inputs);
  const matching = new Set(names);
  const staying = [...now].filter(name => matching.has(name));
  const gone = [...now].filter(name => !matching.has(name)).sort();
  const fresh = names.filter(name => !now.has(name));
  const leaving = gone.length + Math.max(0, staying.length - selected);
  const joining = Math.max(0, selected - staying.length);
  // Which others go is the hub's choice: what runs there is the same.
  const [first] = set.applications.filter(
    ({ cluster }) => gone.length === 0 || !matching.has(cluster.name),
  );
  const { resources = [], resourcesOmitted = 0 } =
    (leaving > 0 && first && detailsOf(first)) || {};
  const known = resources.map(({ kind, name }) => `${kind} ${name}`);
  return {
    preview: previewPlacement(wanted, inputs),
    joining: namesOf(joining, joining === fresh.length ? fresh : []),
    leaving: namesOf(leaving, gone),
    resources: namesOf(known.length + resourcesOmitted, known),
  };
}

/** @param certain - those of which it is known; others are counted */
function namesOf(count: number, certain: readonly string[]): ClusterNames {
  return { count, names: certain.slice(0, MAX_NAMES) };
}

function hasOtherGenerators(set: ArgoApplicationSet | undefined): boolean {
  const [generator, ...others] = set?.spec?.generators ?? [];
  return others.length > 0 || !isOfPlacement(generator);
}

/** A matrix with `clusters` only adds what Argo CD knows of the clusters. */
function isOfPlacement(generator: unknown): boolean {
  const { clusterDecisionResource, matrix } = asRecord(generator);
  const { generators } = asRecord(matrix);
  const [first, ...others] = Array.isArray(generators) ? generators : [];
  return (
    Boolean(clusterDecisionResource) ||
    (Boolean(asRecord(first).clusterDecisionResource) &&
      others.every(each => Boolean(asRecord(each).clusters)))
  );
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
