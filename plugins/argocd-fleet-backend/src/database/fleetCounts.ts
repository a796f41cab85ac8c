import {
  HEALTH_STATUSES,
  SYNC_STATUSES,
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

/** What is recorded of the state of a whole hub. */
export interface HubStatusAge {
  readonly hub: string;
  /** Clusters with Applications that are silent. */
  readonly staleClusters: number;
  /** RFC 3339. When the oldest status that is shown was reported; undefined before any. */
  readonly oldestStatusAt?: string;
}

/** Counts what is recorded of the fleet. */
export interface FleetCounts {
  counts(kind: CountedKind): Promise<readonly FleetCount[]>;
  statusAges(): Promise<readonly HubStatusAge[]>;
}

const GROUPED_BY: Readonly<Record<CountedKind, readonly string[]>> = {
  applications: ['id'],
  clusters: ['cluster'],
  applicationSets: ['namespace', 'application_set'],
};

/** Creates the counts of a database. */
export function createFleetCounts(knex: Knex): FleetCounts {
  const present = () => knex('fleet_applications').where({ gone_at: null });
  return {
    async counts(kind) {
      const each = present()
        .whereNotNull(kind === 'applicationSets' ? 'application_set' : 'id')
        .groupBy('hub', ...GROUPED_BY[kind])
        .select(
          'hub',
          worst(knex, 'health', HEALTH_STATUSES),
          worst(knex, 'sync', SYNC_STATUSES),
        );
      const rows: {
        readonly hub: string;
        readonly health: number | string;
        readonly sync: number | string;
        readonly count: number | string;
      }[] = await knex
        .from(each.as('each'))
        .groupBy('hub', 'health', 'sync')
        .select('hub', 'health', 'sync')
        .count({ count: '*' });
      return rows.map(({ hub, health, sync, count }) => ({
        kind,
        hub,
        health: HEALTH_STATUSES[Number(health)],
        sync: SYNC_STATUSES[Number(sync)],
        count: Number(count),
      }));
    },

    async statusAges() {
      const rows: {
        readonly hub: string;
        readonly stale: number | string;
        readonly oldest: string | null;
      }[] = await present()
        .groupBy('hub')
        .select(
          'hub',
          knex.raw('count(distinct case when stale then cluster end) as stale'),
        )
        // Kubernetes writes all of its times in the same form, in UTC.
        .min({ oldest: 'status_at' });
      return rows.map(({ hub, stale, oldest }) => ({
        hub,
        staleClusters: Number(stale),
        ...(oldest && { oldestStatusAt: oldest }),
      }));
    },
  };
}

/** The place of the worst in a list that ends with it. */
function worst(knex: Knex, column: string, order: readonly string[]): Knex.Raw {
  const cases = order.map((_, place) => `when ? then ${place}`).join(' ');
  return knex.raw(`max(case ?? ${cases} else ${order.length - 1} end) as ??`, [
    column,
    ...order,
    column,
  ]);
}
