import type {
  ApplicationSet,
  ApplicationSetList,
  Cluster,
  ClusterList,
  HubState,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';

/** The clusters and ApplicationSets of one hub. */
export interface HubInventory {
  readonly clusters: readonly Cluster[];
  readonly applicationSets: readonly ApplicationSet[];
}

/** The clusters and ApplicationSets of all configured hubs. */
export interface FleetInventory {
  readonly hubs: ReadonlyMap<string, HubInventory>;
  /** Every resource was just listed in full on every hub, so an object that is not in the inventory does not exist. */
  readonly complete: boolean;
  /** A hub has not been listed for the first time yet: read again soon. */
  readonly starting: boolean;
}

/** The resources, as the API names them, that entities are made of. */
const CLUSTERS = 'managedclusters';
const APPLICATION_SETS = 'applicationsets';
/** Applications say which ApplicationSets are on a cluster. */
const APPLICATIONS = 'applications';

/**
 * Merges the API's lists into the previous inventory. If a hub or one of its resources cannot be read now, the previous
 * objects are kept until the hub reports them as gone. A hub that is no longer configured is removed.
 */
export function updateFleetInventory(
  previous: FleetInventory | undefined,
  clusterList: ClusterList,
  applicationSetList: ApplicationSetList,
): FleetInventory {
  const states = [...clusterList.hubs, ...applicationSetList.hubs];
  const hubs = new Map<string, HubInventory>();
  for (const name of new Set(states.map(state => state.name))) {
    const hubStates = states.filter(state => state.name === name);
    const isListed = (resource: string) =>
      hubStates.every(state => hasListed(state, resource));
    const before = previous?.hubs.get(name);
    const clusters = clusterList.items.filter(item => item.hub === name);
    const applicationSets = applicationSetList.items.filter(
      item => item.ref.hub === name,
    );
    hubs.set(name, {
      clusters: updateClusters(before?.clusters ?? [], clusters, isListed),
      applicationSets: isListed(APPLICATION_SETS)
        ? applicationSets
        : merge(before?.applicationSets ?? [], applicationSets, ({ ref }) =>
            namespacedKey(ref),
          ),
    });
  }
  return {
    hubs,
    complete: states.every(state =>
      [CLUSTERS, APPLICATION_SETS, APPLICATIONS].every(resource =>
        hasListed(state, resource),
      ),
    ),
    starting: states.some(state => state.state === 'starting'),
  };
}

/** `<namespace>/<name>`: identifies an object of one resource on one hub. */
export function namespacedKey({ namespace, name }: NamespacedName): string {
  return `${namespace}/${name}`;
}

function hasListed(
  { state, unread = [] }: HubState,
  resource: string,
): boolean {
  return state === 'ready' && !unread.includes(resource);
}

function updateClusters(
  before: readonly Cluster[],
  current: readonly Cluster[],
  isListed: (resource: string) => boolean,
): readonly Cluster[] {
  const clusters = isListed(CLUSTERS)
    ? current
    : merge(before, current, cluster => cluster.name);
  if (isListed(APPLICATIONS)) {
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
      namespacedKey,
    ),
  }));
}

function merge<T>(
  before: readonly T[],
  current: readonly T[],
  keyOf: (item: T) => string,
): T[] {
  return [
    ...new Map(
      [...before, ...current].map(item => [keyOf(item), item]),
    ).values(),
  ];
}
