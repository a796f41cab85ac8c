import type {
  ApplicationSet,
  ApplicationSetList,
  Cluster,
  ClusterList,
  HubState,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';

/** What the catalog may say about one hub. */
export interface HubInventory {
  readonly clusters: readonly Cluster[];
  readonly applicationSets: readonly ApplicationSet[];
}

/** What is known of every hub. */
export interface FleetInventory {
  readonly hubs: ReadonlyMap<string, HubInventory>;
  /** All that entities are made of was read in full on every hub just now; what is not here does not exist. */
  readonly complete: boolean;
  /** A hub has not been read for the first time yet: worth asking again soon. */
  readonly starting: boolean;
}

/** Kinds, as the API names them, that entities are made of. */
const CLUSTERS = 'managedclusters';
const APPLICATION_SETS = 'applicationsets';
/** They say which ApplicationSets are on a cluster. */
const APPLICATIONS = 'applications';

/**
 * Takes what the API answered into what is known. Of a hub that cannot be read now, or of those of its kinds that cannot, nothing
 * is forgotten: what it had is kept until it says itself that it is gone. A hub that is no longer configured is forgotten.
 */
export function updateFleetInventory(
  known: FleetInventory | undefined,
  clusterList: ClusterList,
  applicationSetList: ApplicationSetList,
): FleetInventory {
  const states = [...clusterList.hubs, ...applicationSetList.hubs];
  const hubs = new Map<string, HubInventory>();
  for (const name of new Set(states.map(state => state.name))) {
    const own = states.filter(state => state.name === name);
    const isRead = (kind: string) => own.every(state => hasRead(state, kind));
    const before = known?.hubs.get(name);
    const clusters = clusterList.items.filter(item => item.hub === name);
    const applicationSets = applicationSetList.items.filter(
      item => item.ref.hub === name,
    );
    hubs.set(name, {
      clusters: clustersKept(before?.clusters ?? [], clusters, isRead),
      applicationSets: isRead(APPLICATION_SETS)
        ? applicationSets
        : merge(before?.applicationSets ?? [], applicationSets, refKey),
    });
  }
  return {
    hubs,
    complete: states.every(state =>
      [CLUSTERS, APPLICATION_SETS, APPLICATIONS].every(kind =>
        hasRead(state, kind),
      ),
    ),
    starting: states.some(state => state.state === 'starting'),
  };
}

function hasRead({ state, unread = [] }: HubState, kind: string): boolean {
  return state === 'ready' && !unread.includes(kind);
}

function clustersKept(
  before: readonly Cluster[],
  fresh: readonly Cluster[],
  isRead: (kind: string) => boolean,
): readonly Cluster[] {
  const clusters = isRead(CLUSTERS)
    ? fresh
    : merge(before, fresh, item => item.name);
  if (isRead(APPLICATIONS)) {
    return clusters;
  }
  const setsBefore = new Map(
    before.map(({ name, applicationSets }) => [name, applicationSets]),
  );
  return clusters.map(cluster => ({
    ...cluster,
    applicationSets: merge(
      setsBefore.get(cluster.name) ?? [],
      cluster.applicationSets,
      objectKey,
    ),
  }));
}

function refKey({ ref }: ApplicationSet): string {
  return objectKey(ref);
}

function objectKey({ namespace, name }: NamespacedName): string {
  return `${namespace}/${name}`;
}

function merge<T>(
  before: readonly T[],
  fresh: readonly T[],
  keyOf: (item: T) => string,
): T[] {
  return [
    ...new Map([...before, ...fresh].map(item => [keyOf(item), item])).values(),
  ];
}
