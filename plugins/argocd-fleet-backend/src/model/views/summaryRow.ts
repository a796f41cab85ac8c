import {
  HEALTH_STATUSES,
  parseGoBool,
  SKIP_RECONCILE_ANNOTATION,
  SYNC_STATUSES,
  worseHealth,
  worseSync,
  type ClusterApplication,
  type DeliveryModel,
  type HealthStatus,
  type RunningRevision,
  type StatusSummary,
} from 'backstage-plugin-argocd-fleet-common';
import { isPullModel } from '../delivery';
import type { ResourceReader } from '../feedback';
import { clusterApplication, problemOf } from './clusterApplication';
import {
  clusterNameIn,
  modelOf,
  type FleetApplication,
} from './fleetApplication';

/** What one Application adds to the numbers of its ApplicationSet in the list. */
export interface SummaryRow {
  readonly cluster: string;
  readonly state: SummaryState;
  /** When its status last changed, in milliseconds since the epoch; undefined where no time is known. */
  readonly changedAt: number | undefined;
  /** The wanted revision and the one that runs, of the first source; shared with other rows. */
  readonly wanted: string | undefined;
  readonly running: string | undefined;
  /** When that was synced, in milliseconds since the epoch; undefined where it is not known. */
  readonly runningSince: number | undefined;
}

/** The few values that Applications mostly have in common: equal ones can be one object. */
export interface SummaryState extends Pick<
  ClusterApplication,
  'health' | 'sync' | 'deliveryModel'
> {
  readonly stale: boolean;
  readonly inTrouble: boolean;
  /** Intentionally not delivered: it is in no number but this one and that of its delivery model. */
  readonly excluded: boolean;
  /** Pulled by its cluster, and reconciled by the hub's Argo CD as well. */
  readonly reconciledOnHub: boolean;
  /** How urgent its problem is: the higher, the more; -1 where it has none. */
  readonly urgency: number;
}

/** Returns the same object for equal states, and the same string for equal revisions. */
export interface Sharing {
  state(state: SummaryState): SummaryState;
  revision(revision: string | undefined): string | undefined;
}

const UNSHARED: Sharing = {
  state: state => state,
  revision: revision => revision,
};

/**
 * Makes the row of an Application.
 * @param share - one with a memory where there are many rows
 */
export function summaryRow(
  input: FleetApplication,
  resourcesIn?: ResourceReader,
  share: Sharing = UNSHARED,
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
  share: Sharing = UNSHARED,
): SummaryRow {
  const { application } = input;
  if (!row) {
    return {
      cluster: clusterNameIn(input),
      state: share.state({
        health: 'Unknown',
        sync: 'Unknown',
        deliveryModel: modelOf(input),
        stale: false,
        inTrouble: false,
        excluded: true,
        reconciledOnHub: false,
        urgency: -1,
      }),
      changedAt: undefined,
      wanted: undefined,
      running: undefined,
      runningSince: undefined,
    };
  }
  return {
    cluster: row.cluster.name,
    state: share.state({
      health: row.health,
      sync: row.sync,
      deliveryModel: row.deliveryModel,
      stale: row.cluster.stale,
      inTrouble: row.inTrouble,
      excluded: false,
      // Argo CD reads the annotation as a Go boolean.
      reconciledOnHub:
        isPullModel(application) &&
        parseGoBool(
          application.metadata.annotations?.[SKIP_RECONCILE_ANNOTATION],
        ) !== true,
      urgency: urgencyOf(row),
    }),
    changedAt: changedAt(row),
    wanted: share.revision(row.revision ?? row.revisions?.[0]),
    running: share.revision(row.running?.revision),
    runningSince: millisecondsOf(row.running?.since),
  };
}

/** Counts clusters, each by the worst of its Applications. */
export function summarise(rows: Iterable<SummaryRow>): StatusSummary {
  const clusters = new Map<
    string,
    Pick<SummaryState, 'health' | 'sync' | 'stale' | 'inTrouble'>
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
            inTrouble: known.inTrouble || state.inTrouble,
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
  const counts = { ok: 0, inProgress: 0, inTrouble: 0 };
  const staleHealth: Record<string, number> = {};
  let stale = 0;
  for (const status of clusters.values()) {
    health[status.health] += 1;
    sync[status.sync] += 1;
    counts[overallState(status)] += 1;
    if (status.stale) {
      stale += 1;
      staleHealth[status.health] = (staleHealth[status.health] ?? 0) + 1;
    }
  }
  return {
    clusters: clusters.size,
    applications,
    state: counts,
    health,
    sync,
    stale,
    staleHealth,
  };
}

function overallState({
  health,
  sync,
  inTrouble,
}: Pick<
  SummaryState,
  'health' | 'sync' | 'inTrouble'
>): keyof StatusSummary['state'] {
  if (inTrouble) {
    return 'inTrouble';
  }
  return health === 'Healthy' && sync === 'Synced' ? 'ok' : 'inProgress';
}

const MAX_REVISIONS = 10;

/** The revisions that run, the latest first, with the number of clusters that run them. */
export function runningRevisions(
  rows: Iterable<SummaryRow>,
): RunningRevision[] {
  const found = new Map<
    string,
    { clusters: Set<string>; wanted: Set<string>; since: number | undefined }
  >();
  const entryOf = (revision: string) => {
    const known = found.get(revision);
    if (known) {
      return known;
    }
    const entry = {
      clusters: new Set<string>(),
      wanted: new Set<string>(),
      since: undefined,
    };
    found.set(revision, entry);
    return entry;
  };
  for (const { cluster, wanted, running, runningSince } of rows) {
    if (wanted !== undefined) {
      entryOf(wanted).wanted.add(cluster);
    }
    if (running !== undefined) {
      const entry = entryOf(running);
      entry.clusters.add(cluster);
      if (runningSince !== undefined) {
        entry.since = Math.min(entry.since ?? Infinity, runningSince);
      }
    }
  }
  return [...found]
    .map(([revision, { clusters, wanted, since }]) => ({
      revision,
      clusters: clusters.size,
      wanted: wanted.size,
      ...(since !== undefined && { since: timeText(since) }),
    }))
    .sort(latestFirst)
    .slice(0, MAX_REVISIONS);
}

/** A revision that is wanted and runs nowhere yet is the latest. */
function latestFirst(a: RunningRevision, b: RunningRevision): number {
  return (
    Number(a.clusters > 0) - Number(b.clusters > 0) ||
    (b.since ?? '').localeCompare(a.since ?? '') ||
    b.clusters - a.clusters ||
    (a.revision < b.revision ? -1 : 1)
  );
}

/**
 * Key of the row with the most urgent problem: errors before warnings, clusters that report before stale ones (their last
 * status may be old), the worst health first, then the first by key. Undefined where no row has a problem.
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
  return latest === -Infinity ? undefined : timeText(latest);
}

/** RFC 3339, without a fraction where there is none. */
export function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z');
}

/**
 * Since when an Application has its state, in milliseconds since the epoch: the one time that every page shows for it.
 */
export function changedAt({
  since,
  statusAt,
  operationStartedAt,
  deliveryModel,
}: ClusterApplication): number | undefined {
  // In the other models the status is the hub Application's, which Argo CD rewrites every few minutes without changes.
  const reported = deliveryModel === 'pull' ? statusAt : operationStartedAt;
  return millisecondsOf(since ?? reported);
}

function millisecondsOf(time: string | undefined): number | undefined {
  const milliseconds = Date.parse(time ?? '');
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

const URGENCY: Record<HealthStatus, number> = {
  Degraded: 5,
  Missing: 4,
  Unknown: 3,
  Progressing: 2,
  Suspended: 1,
  Healthy: 0,
};

function urgencyOf(row: ClusterApplication): number {
  const { inTrouble, cluster, health } = row;
  const severity = problemOf(row)?.severity ?? 'info';
  return inTrouble || severity !== 'info'
    ? (inTrouble ? 100 : 0) + (cluster.stale ? 0 : 10) + URGENCY[health]
    : -1;
}

const MODELS: readonly DeliveryModel[] = ['pull', 'push', 'agent'];

/** A fleet has a few revisions at a time; the memory begins anew before those of months add up. */
const MAX_SHARED_REVISIONS = 10_000;

/**
 * Creates a sharing. There are some hundred possible states: the problem's text, which can be anything, is not part of
 * them.
 */
export function createSharing(): Sharing {
  const states = new Map<number, SummaryState>();
  const revisions = new Map<string, string>();
  return {
    state(state) {
      const flags =
        (state.stale ? 1 : 0) +
        (state.excluded ? 2 : 0) +
        (state.reconciledOnHub ? 4 : 0) +
        (state.inTrouble ? 8 : 0);
      const key =
        ((((state.urgency + 1) * 16 + flags) * 8 +
          HEALTH_STATUSES.indexOf(state.health)) *
          4 +
          SYNC_STATUSES.indexOf(state.sync)) *
          4 +
        MODELS.indexOf(state.deliveryModel);
      const known = states.get(key);
      if (known) {
        return known;
      }
      states.set(key, state);
      return state;
    },
    revision(revision) {
      const known = revision && revisions.get(revision);
      if (known || !revision) {
        return known;
      }
      if (revisions.size >= MAX_SHARED_REVISIONS) {
        revisions.clear();
      }
      // As a copy: a part of a message would keep the whole message in memory.
      const copy = Buffer.from(revision).toString();
      revisions.set(copy, copy);
      return copy;
    },
  };
}
