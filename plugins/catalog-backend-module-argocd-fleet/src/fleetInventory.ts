import { isDeepStrictEqual } from 'node:util';
import type {
  ClusterRef,
  HubState,
  Inventory,
  InventoryApplicationSet,
  InventoryCluster,
  NamespacedName,
  ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';

/** The clusters and ApplicationSets of one hub. */
export interface HubInventory {
  /** By name. */
  readonly clusters: ReadonlyMap<string, InventoryCluster>;
  /** By {@link namespacedKey}. */
  readonly applicationSets: ReadonlyMap<string, InventoryApplicationSet>;
}

/** The clusters and ApplicationSets of all configured hubs. */
export interface FleetInventory {
  readonly hubs: ReadonlyMap<string, HubInventory>;
  /** Every resource of every hub is completely listed, so an object that is not in the inventory does not exist. */
  readonly complete: boolean;
  /** A hub has not been listed for the first time yet: read again soon. */
  readonly starting: boolean;
  /** `since` of the next request. */
  readonly next: string;
  /**
   * Resources, as {@link resourceKey}, of which objects may be here that are gone: they were kept since the resource
   * could not be read. Once it can be, only a full answer shows which.
   */
  readonly uncertain: ReadonlySet<string>;
}

/** Objects of which the entity may be another one now, or be gone. */
export interface ChangedObjects {
  readonly clusters: readonly ClusterRef[];
  readonly applicationSets: readonly ObjectRef[];
}

/** The resources, as the API names them, that entities are made of. */
const CLUSTERS = 'managedclusters';
const APPLICATION_SETS = 'applicationsets';
/** Applications say which ApplicationSets are on a cluster. */
const APPLICATIONS = 'applications';
const RESOURCES = [CLUSTERS, APPLICATION_SETS, APPLICATIONS];

const EMPTY: HubInventory = { clusters: new Map(), applicationSets: new Map() };

/**
 * Applies an answer of the API to the previous inventory. If a hub or one of its resources cannot be read now, the
 * previous objects are kept until the hub reports them as gone. A hub that is no longer configured is removed.
 */
export function updateFleetInventory(
  previous: FleetInventory | undefined,
  answer: Inventory,
): { readonly inventory: FleetInventory; readonly changed: ChangedObjects } {
  const hubs = new Map<string, HubInventory>();
  const uncertain = new Set(answer.full ? [] : previous?.uncertain);
  const changed = { clusters: [], applicationSets: [] } as {
    clusters: ClusterRef[];
    applicationSets: ObjectRef[];
  };
  const parts = partsByHub(answer);
  for (const state of answer.hubs) {
    const hub = state.name;
    const before = previous?.hubs.get(hub) ?? EMPTY;
    const part = parts.get(hub);
    if (!answer.full && !part) {
      hubs.set(hub, before);
      continue;
    }
    const after = updateHub(before, part, state, answer.full);
    hubs.set(hub, after);
    unlistedResources(state).forEach(key => uncertain.add(key));
    addChanges(changed, hub, before, after, part, answer.full);
  }
  for (const [hub, before] of previous?.hubs ?? []) {
    if (!hubs.has(hub)) {
      addChanges(changed, hub, before, EMPTY, undefined, true);
    }
  }
  return {
    inventory: {
      hubs,
      complete:
        uncertain.size === 0 &&
        answer.hubs.every(state => unlistedResources(state).length === 0),
      starting: answer.hubs.some(({ state }) => state === 'starting'),
      next: answer.next,
      uncertain,
    },
    changed,
  };
}

/** Whether a resource can be read again of which objects may be in the inventory that are gone. */
export function needsFullAnswer(
  { uncertain }: FleetInventory,
  answer: Inventory,
): boolean {
  if (answer.full || uncertain.size === 0) {
    return false;
  }
  const unlisted = new Set(answer.hubs.flatMap(unlistedResources));
  return [...uncertain].some(key => !unlisted.has(key));
}

/** `<namespace>/<name>`: identifies an object of one resource on one hub. */
export function namespacedKey({ namespace, name }: NamespacedName): string {
  return `${namespace}/${name}`;
}

/** What an answer says about one hub. */
interface HubPart {
  readonly clusters: InventoryCluster[];
  readonly applicationSets: InventoryApplicationSet[];
  readonly removedClusters: ClusterRef[];
  readonly removedApplicationSets: ObjectRef[];
}

function partsByHub(answer: Inventory): ReadonlyMap<string, HubPart> {
  const parts = new Map<string, HubPart>();
  const partOf = (hub: string) => {
    const known = parts.get(hub);
    if (known) {
      return known;
    }
    const part = {
      clusters: [],
      applicationSets: [],
      removedClusters: [],
      removedApplicationSets: [],
    };
    parts.set(hub, part);
    return part as HubPart;
  };
  answer.clusters.forEach(each => partOf(each.hub).clusters.push(each));
  answer.applicationSets.forEach(each =>
    partOf(each.ref.hub).applicationSets.push(each),
  );
  answer.removedClusters.forEach(each =>
    partOf(each.hub).removedClusters.push(each),
  );
  answer.removedApplicationSets.forEach(each =>
    partOf(each.hub).removedApplicationSets.push(each),
  );
  return parts;
}

function updateHub(
  before: HubInventory,
  part: HubPart | undefined,
  state: HubState,
  full: boolean,
): HubInventory {
  const clusters = new Map(
    full && hasListed(state, CLUSTERS) ? [] : before.clusters,
  );
  for (const cluster of part?.clusters ?? []) {
    const known = before.clusters.get(cluster.name);
    clusters.set(
      cluster.name,
      known && !hasListed(state, APPLICATIONS)
        ? {
            ...cluster,
            applicationSets: union(
              known.applicationSets,
              cluster.applicationSets,
            ),
          }
        : cluster,
    );
  }
  const applicationSets = new Map(
    full && hasListed(state, APPLICATION_SETS) ? [] : before.applicationSets,
  );
  for (const set of part?.applicationSets ?? []) {
    applicationSets.set(namespacedKey(set.ref), set);
  }
  if (hasListed(state, CLUSTERS)) {
    part?.removedClusters.forEach(({ name }) => clusters.delete(name));
  }
  if (hasListed(state, APPLICATION_SETS)) {
    part?.removedApplicationSets.forEach(ref =>
      applicationSets.delete(namespacedKey(ref)),
    );
  }
  return { clusters, applicationSets };
}

/**
 * Adds what differs. Of an answer with changes, all that it mentions: another replica of the catalog may have published
 * a state in between that this one never had.
 */
function addChanges(
  changed: { clusters: ClusterRef[]; applicationSets: ObjectRef[] },
  hub: string,
  before: HubInventory,
  after: HubInventory,
  part: HubPart | undefined,
  full: boolean,
) {
  const clusters = full
    ? differentKeys(before.clusters, after.clusters)
    : [...(part?.clusters ?? []), ...(part?.removedClusters ?? [])].map(
        ({ name }) => name,
      );
  // The entity of an ApplicationSet names its clusters.
  const sets = new Map<string, NamespacedName>();
  for (const name of clusters) {
    changed.clusters.push({ hub, name });
    for (const applicationSets of [
      before.clusters.get(name)?.applicationSets ?? [],
      after.clusters.get(name)?.applicationSets ?? [],
    ]) {
      for (const ref of applicationSets) {
        const key = namespacedKey(ref);
        if (before.applicationSets.has(key) || after.applicationSets.has(key)) {
          sets.set(key, ref);
        }
      }
    }
  }
  const ownChanges = full
    ? differentKeys(before.applicationSets, after.applicationSets).map(
        key =>
          (after.applicationSets.get(key) ?? before.applicationSets.get(key)!)
            .ref,
      )
    : [
        ...(part?.applicationSets ?? []).map(({ ref }) => ref),
        ...(part?.removedApplicationSets ?? []),
      ];
  ownChanges.forEach(ref => sets.set(namespacedKey(ref), ref));
  for (const { namespace, name } of sets.values()) {
    changed.applicationSets.push({ hub, namespace, name });
  }
}

function differentKeys<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    key => !isDeepStrictEqual(before.get(key), after.get(key)),
  );
}

/** Keys of the hub's resources that are not completely known now. */
function unlistedResources(state: HubState): string[] {
  return RESOURCES.filter(resource => !hasListed(state, resource)).map(
    resource => resourceKey(state.name, resource),
  );
}

function resourceKey(hub: string, resource: string): string {
  return `${hub}/${resource}`;
}

function hasListed(
  { state, unread = [] }: HubState,
  resource: string,
): boolean {
  return state === 'ready' && !unread.includes(resource);
}

function union(
  before: readonly NamespacedName[],
  current: readonly NamespacedName[],
): NamespacedName[] {
  return [
    ...new Map(
      [...before, ...current].map(ref => [namespacedKey(ref), ref]),
    ).values(),
  ];
}
