import type {
  ApplicationSet,
  ApplicationSetList,
  Cluster,
  ClusterList,
} from 'backstage-plugin-argocd-fleet-common';

/** What the catalog may say about one hub. */
export interface HubInventory {
  readonly clusters: readonly Cluster[];
  readonly applicationSets: readonly ApplicationSet[];
}

/** What is known of every hub. */
export interface FleetInventory {
  readonly hubs: ReadonlyMap<string, HubInventory>;
  /** Every hub was read in full just now; what is not here does not exist. */
  readonly complete: boolean;
  /** A hub has not been read for the first time yet: worth asking again soon. */
  readonly starting: boolean;
}

/**
 * Takes what the API answered into what is known. Of a hub that cannot be read now nothing is forgotten: what it had is kept
 * until it says itself that it is gone. A hub that is no longer configured is forgotten.
 */
export function updateFleetInventory(
  known: FleetInventory | undefined,
  clusterList: ClusterList,
  applicationSetList: ApplicationSetList,
): FleetInventory {
  const states = [...clusterList.hubs, ...applicationSetList.hubs];
  const hubs = new Map<string, HubInventory>();
  for (const name of new Set(states.map(state => state.name))) {
    const ready = states.every(
      state => state.name !== name || state.state === 'ready',
    );
    const fresh: HubInventory = {
      clusters: clusterList.items.filter(item => item.hub === name),
      applicationSets: applicationSetList.items.filter(
        item => item.ref.hub === name,
      ),
    };
    const before = known?.hubs.get(name);
    hubs.set(name, ready || !before ? fresh : withoutLoss(before, fresh));
  }
  return {
    hubs,
    complete: states.every(state => state.state === 'ready'),
    starting: states.some(state => state.state === 'starting'),
  };
}

function withoutLoss(before: HubInventory, fresh: HubInventory): HubInventory {
  return {
    clusters: merge(before.clusters, fresh.clusters, item => item.name),
    applicationSets: merge(
      before.applicationSets,
      fresh.applicationSets,
      ({ ref }) => `${ref.namespace}/${ref.name}`,
    ),
  };
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
