import {
  HEALTH_STATUSES,
  parseGoBool,
  SKIP_RECONCILE_ANNOTATION,
  SYNC_STATUSES,
  worseHealth,
  worseSync,
  type ClusterApplication,
  type HealthStatus,
  type StatusSummary,
} from 'backstage-plugin-argocd-fleet-common';
import { clusterNameOf, isPullModel } from '../delivery';
import type { ResourceReader } from '../feedback';
import { clusterApplication } from './clusterApplication';
import type { FleetApplication } from './fleetApplication';

/** What one Application adds to the numbers of its ApplicationSet in the list. */
export interface SummaryRow {
  readonly cluster: string;
  readonly state: SummaryState;
  /** When its status last changed, in milliseconds since the epoch; undefined where no time is known. */
  readonly changedAt: number | undefined;
}

/** The few values that Applications mostly have in common: equal ones can be one object. */
export interface SummaryState extends Pick<
  ClusterApplication,
  'health' | 'sync'
> {
  readonly stale: boolean;
  /** Intentionally not delivered: it is in no number but this one. */
  readonly excluded: boolean;
  /** Pulled by its cluster, and reconciled by the hub's Argo CD as well. */
  readonly reconciledOnHub: boolean;
  /** How urgent its error is: the higher, the more; -1 where it has none. */
  readonly urgency: number;
}

/** Returns the same object for equal states. */
export type StateSharing = (state: SummaryState) => SummaryState;

/**
 * Makes the row of an Application.
 * @param share - one with a memory where there are many rows
 */
export function summaryRow(
  input: FleetApplication,
  resourcesIn?: ResourceReader,
  share: StateSharing = unshared,
): SummaryRow {
  return summaryRowOf(
    input,
    input.plan?.kind === 'excluded'
      ? undefined
      : clusterApplication(input, resourcesIn),
    share,
  );
}

/**
 * As {@link summaryRow}, where the Application's row in detail exists already.
 * @param row - undefined for an excluded Application
 */
export function summaryRowOf(
  input: FleetApplication,
  row: ClusterApplication | undefined,
  share: StateSharing = unshared,
): SummaryRow {
  const { application } = input;
  if (!row) {
    return {
      cluster: input.clusterName ?? clusterNameOf(application),
      state: share({
        health: 'Unknown',
        sync: 'Unknown',
        stale: false,
        excluded: true,
        reconciledOnHub: false,
        urgency: -1,
      }),
      changedAt: undefined,
    };
  }
  return {
    cluster: row.cluster.name,
    state: share({
      health: row.health,
      sync: row.sync,
      stale: row.cluster.stale,
      excluded: false,
      // Argo CD reads the annotation as a Go boolean.
      reconciledOnHub:
        isPullModel(application) &&
        parseGoBool(
          application.metadata.annotations?.[SKIP_RECONCILE_ANNOTATION],
        ) !== true,
      urgency: row.error ? urgencyOf(row) : -1,
    }),
    changedAt: changedAt(row),
  };
}

/** Counts clusters, each by the worst of its Applications. */
export function summarise(rows: Iterable<SummaryRow>): StatusSummary {
  const clusters = new Map<
    string,
    Pick<SummaryState, 'health' | 'sync' | 'stale'>
  >();
  let applications = 0;
  for (const { cluster, state } of rows) {
    if (state.excluded) {
      continue;
    }
    applications += 1;
    const known = clusters.get(cluster);
    clusters.set(
      cluster,
      known
        ? {
            health: worseHealth(known.health, state.health),
            sync: worseSync(known.sync, state.sync),
            stale: known.stale || state.stale,
          }
        : state,
    );
  }
  const health = {
    Healthy: 0,
    Progressing: 0,
    Degraded: 0,
    Suspended: 0,
    Missing: 0,
    Unknown: 0,
  };
  const sync = { Synced: 0, OutOfSync: 0, Unknown: 0 };
  let stale = 0;
  for (const status of clusters.values()) {
    health[status.health] += 1;
    sync[status.sync] += 1;
    stale += status.stale ? 1 : 0;
  }
  return { clusters: clusters.size, applications, health, sync, stale };
}

/**
 * Key of the row with the most urgent error: errors before warnings, clusters that report before stale ones (their last
 * status may be old), the worst health first, then the first by key. Undefined where no row has an error.
 */
export function mostUrgent(
  rows: ReadonlyMap<string, SummaryRow>,
): string | undefined {
  let found: string | undefined;
  let highest = 0;
  for (const [key, { state }] of rows) {
    if (
      state.urgency >= 0 &&
      (found === undefined ||
        state.urgency > highest ||
        (state.urgency === highest && key < found))
    ) {
      found = key;
      highest = state.urgency;
    }
  }
  return found;
}

/** The latest change of any row, in RFC 3339. */
export function lastChange(rows: Iterable<SummaryRow>): string | undefined {
  let latest = -Infinity;
  for (const row of rows) {
    if (row.changedAt !== undefined && row.changedAt > latest) {
      latest = row.changedAt;
    }
  }
  return latest === -Infinity
    ? undefined
    : new Date(latest).toISOString().replace('.000Z', 'Z');
}

function changedAt({
  since,
  statusAt,
  operationStartedAt,
  deliveryModel,
}: ClusterApplication): number | undefined {
  // In the other models the status is the hub Application's, which Argo CD rewrites every few minutes without changes.
  const reported = deliveryModel === 'pull' ? statusAt : operationStartedAt;
  const time = Date.parse(since ?? reported ?? '');
  return Number.isNaN(time) ? undefined : time;
}

const URGENCY: Record<HealthStatus, number> = {
  Degraded: 5,
  Missing: 4,
  Unknown: 3,
  Progressing: 2,
  Suspended: 1,
  Healthy: 0,
};

function urgencyOf({ steps, cluster, health }: ClusterApplication): number {
  const failed = steps.some(({ finding }) => finding?.severity === 'error');
  return (failed ? 100 : 0) + (cluster.stale ? 0 : 10) + URGENCY[health];
}

const unshared: StateSharing = state => state;

/**
 * Creates a sharing of states. There are some hundred possible ones: the error's text, which can be anything, is not
 * part of them.
 */
export function createStateSharing(): StateSharing {
  const states = new Map<number, SummaryState>();
  return state => {
    const flags =
      (state.stale ? 1 : 0) +
      (state.excluded ? 2 : 0) +
      (state.reconciledOnHub ? 4 : 0);
    const key =
      (((state.urgency + 1) * 8 + flags) * 8 +
        HEALTH_STATUSES.indexOf(state.health)) *
        4 +
      SYNC_STATUSES.indexOf(state.sync);
    const known = states.get(key);
    if (known) {
      return known;
    }
    states.set(key, state);
    return state;
  };
}
