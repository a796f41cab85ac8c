import { setImmediate as yieldToOthers } from 'node:timers/promises';
import {
  parseHealthStatus,
  parseSyncStatus,
  worseHealth,
  worseSync,
  type HealthStatus,
  type SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';
import type { Knex } from 'knex';

/** What is counted, by its worst Application; an ApplicationSet without any is not. */
export type CountedKind = 'applications' | 'clusters' | 'applicationSets';

/** How many things of one kind have one state on one hub. */
export interface FleetCount {
  readonly kind: CountedKind;
  readonly hub: string;
  readonly health: HealthStatus;
  readonly sync: SyncStatus;
  readonly count: number;
}

/** What is recorded of the silence of a hub's clusters. */
export interface HubSilence {
  readonly hub: string;
  /** Clusters with Applications that are silent. */
  readonly staleClusters: number;
  /** RFC 3339. Since when the first of them is; undefined where none is, or OCM does not say. */
  readonly since?: string;
}

/** What is recorded of the fleet, in figures. */
export interface FleetFigures {
  readonly counts: readonly FleetCount[];
  readonly silences: readonly HubSilence[];
}

/** Counts what is recorded of the fleet. */
export interface FleetCounts {
  /** @param hubs - those that count; what was recorded of others is history */
  count(hubs: readonly string[]): Promise<FleetFigures>;
}

/** Rows of one statement: nothing else happens in the process while it runs, where the database is SQLite. */
const PAGE = 1_000;

interface Row {
  readonly id: number | string;
  readonly hub: string;
  readonly namespace: string;
  readonly application_set: string | null;
  readonly cluster: string;
  readonly health: string;
  readonly sync: string;
  readonly stale: boolean | number;
  readonly stale_since: string | null;
}

type State = Omit<FleetCount, 'count'>;

/** Creates the counts of a database. */
export function createFleetCounts(knex: Knex): FleetCounts {
  /** In pages, since a database in this process would count them all in one long turn. */
  async function* pages(
    hubs: readonly string[],
  ): AsyncGenerator<readonly Row[]> {
    for (let after = 0; ;) {
      const rows: Row[] = await knex('fleet_applications')
        .where({ gone_at: null })
        .whereIn('hub', hubs)
        .where('id', '>', after)
        .orderBy('id')
        .limit(PAGE)
        .select('id', 'hub', 'namespace', 'application_set', 'cluster')
        .select('health', 'sync', 'stale', 'stale_since');
      yield rows;
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) {
        return;
      }
      after = Number(last.id);
      await yieldToOthers();
    }
  }

  return {
    async count(hubs) {
      const worst = new Map<string, State>();
      const counts = new Map<string, number>();
      const silent = new Map<string, Map<string, string | null>>();
      const add = (state: State) => {
        const key = JSON.stringify(state);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      };
      for await (const page of pages(hubs)) {
        for (const row of page) {
          const { hub, namespace, application_set: set, cluster } = row;
          add(stateOf('applications', row));
          worsen(worst, [hub, cluster], stateOf('clusters', row));
          if (set !== null) {
            const name = [hub, namespace, set];
            worsen(worst, name, stateOf('applicationSets', row));
          }
          const ofHub = silent.get(hub) ?? new Map<string, string | null>();
          silent.set(hub, ofHub);
          if (row.stale) {
            ofHub.set(cluster, row.stale_since);
          }
        }
      }
      for (const state of worst.values()) {
        add(state);
      }
      return {
        counts: [...counts].map(([key, count]) => ({
          ...(JSON.parse(key) as State),
          count,
        })),
        silences: [...silent].map(([hub, clusters]) => {
          // Kubernetes writes all of its times in the same form, in UTC.
          const [since] = [...clusters.values()]
            .filter(time => time !== null)
            .sort();
          return {
            hub,
            staleClusters: clusters.size,
            ...(since !== undefined && { since }),
          };
        }),
      };
    },
  };
}

function stateOf(kind: CountedKind, { hub, health, sync }: Row): State {
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
