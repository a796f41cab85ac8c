import {
  parseHealthStatus,
  parseSyncStatus,
  worseHealth,
  worseSync,
  type HealthStatus,
  type SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';
import type { Knex } from 'knex';

/**
 * Counted kinds. A cluster or ApplicationSet has the status of its worst Application; those without Applications are
 * left out.
 */
export type CountedKind = 'applications' | 'clusters' | 'applicationSets';

/** How many objects of one kind have one health and sync status on one hub. */
export interface FleetCount {
  readonly kind: CountedKind;
  readonly hub: string;
  readonly health: HealthStatus;
  readonly sync: SyncStatus;
  readonly count: number;
}

/** The clusters of a hub whose agents stopped reporting, as recorded. */
export interface HubStaleness {
  readonly hub: string;
  /** Number of stale clusters that have Applications. */
  readonly staleClusters: number;
  /** RFC 3339. When the first of them became stale; undefined where none is stale or OCM gives no time. */
  readonly since?: string;
}

/** Counts of the recorded state of the fleet. */
export interface FleetFigures {
  readonly counts: readonly FleetCount[];
  readonly staleness: readonly HubStaleness[];
}

/** Counts the recorded state of the fleet. */
export interface FleetCounts {
  /** @param hubs - names of the configured hubs; records of other hubs are history */
  count(hubs: readonly string[]): Promise<FleetFigures>;
}

/** Applications of one cluster, or of one ApplicationSet, that have the same state. */
interface Group {
  readonly hub: string;
  readonly health: string;
  readonly sync: string;
}

interface ClusterGroup extends Group {
  readonly cluster: string;
  readonly stale: boolean | number;
  readonly stale_since: string | null;
  /** PostgreSQL's driver gives large integers as text. */
  readonly count: number | string;
}

interface SetGroup extends Group {
  readonly namespace: string;
  readonly application_set: string;
}

type State = Omit<FleetCount, 'count'>;

/** Creates the counts of a database. */
export function createFleetCounts(knex: Knex): FleetCounts {
  const current = (hubs: readonly string[]) =>
    knex('fleet_applications').where({ gone_at: null }).whereIn('hub', hubs);

  function clusterGroups(hubs: readonly string[]): Promise<ClusterGroup[]> {
    const columns = [
      'hub',
      'cluster',
      'health',
      'sync',
      'stale',
      'stale_since',
    ];
    return current(hubs).groupBy(columns).select(columns).count({ count: '*' });
  }

  function setGroups(hubs: readonly string[]): Promise<SetGroup[]> {
    return current(hubs)
      .whereNotNull('application_set')
      .distinct('hub', 'namespace', 'application_set', 'health', 'sync');
  }

  return {
    async count(hubs) {
      const counts = new Map<string, number>();
      const add = (state: State, count = 1) => {
        const key = JSON.stringify(state);
        counts.set(key, (counts.get(key) ?? 0) + count);
      };
      const worst = new Map<string, State>();
      const ofClusters = await clusterGroups(hubs);
      for (const group of ofClusters) {
        const { hub, cluster, count } = group;
        add(stateOf('applications', group), Number(count));
        worsen(worst, [hub, cluster], stateOf('clusters', group));
      }
      for (const group of await setGroups(hubs)) {
        const name = [group.hub, group.namespace, group.application_set];
        worsen(worst, name, stateOf('applicationSets', group));
      }
      worst.forEach(state => add(state));
      return {
        counts: [...counts].map(([key, count]) => ({
          ...(JSON.parse(key) as State),
          count,
        })),
        staleness: stalenessOf(ofClusters),
      };
    },
  };
}

function stalenessOf(groups: readonly ClusterGroup[]): HubStaleness[] {
  const hubs = new Map<string, Map<string, string | null>>();
  for (const { hub, cluster, stale, stale_since: since } of groups) {
    const clusters = hubs.get(hub) ?? new Map<string, string | null>();
    hubs.set(hub, clusters);
    if (stale) {
      clusters.set(cluster, since);
    }
  }
  return [...hubs].map(([hub, clusters]) => {
    // Kubernetes writes all of its times in the same form, in UTC.
    const [since] = [...clusters.values()].filter(time => time !== null).sort();
    return {
      hub,
      staleClusters: clusters.size,
      ...(since !== undefined && { since }),
    };
  });
}

function stateOf(kind: CountedKind, { hub, health, sync }: Group): State {
  return {
    kind,
    hub,
    health: parseHealthStatus(health),
    sync: parseSyncStatus(sync),
  };
}

function worsen(
  worst: Map<string, State>,
  name: readonly string[],
  state: State,
) {
  const key = [state.kind, ...name].join('\n');
  const known = worst.get(key);
  worst.set(
    key,
    known
      ? {
          ...state,
          health: worseHealth(known.health, state.health),
          sync: worseSync(known.sync, state.sync),
        }
      : state,
  );
}
