import {
  HEALTH_STATUSES,
  OVERALL_STATES,
  parseGoBool,
  SKIP_RECONCILE_ANNOTATION,
  SYNC_STATUSES,
  worseHealth,
  worseState,
  worseSync,
  type ClusterApplication,
  type DeliveryModel,
  type HealthStatus,
  type StatusSummary,
} from 'backstage-plugin-argocd-fleet-common';
import { isPullModel } from '../delivery';
import type { ResourceReader } from '../feedback';
import { longWaitFrom } from '../findings';
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
  /** What the hub wants, as it is written, one line for each source; shared with other rows, as are the next four. */
  readonly wanted: string | undefined;
  /** What Argo CD on the cluster last compared with, likewise, and the revisions that this was ({@link versionOf}). */
  readonly compared: string | undefined;
  readonly comparedVersion: string | undefined;
  /** What runs, where that is known, and what was deployed before what was compared with. */
  readonly running: string | undefined;
  readonly previous: string | undefined;
  /** When what runs was synced, in milliseconds since the epoch; undefined where it is not known. */
  readonly runningSince: number | undefined;
  /** When it changes by itself, in milliseconds since the epoch; mostly it does not. */
  readonly changesAt?: number;
}

/** The few values that Applications mostly have in common: equal ones can be one object. */
export interface SummaryState extends Pick<
  ClusterApplication,
  'health' | 'sync' | 'state' | 'deliveryModel'
> {
  readonly stale: boolean;
  /** Intentionally not delivered: it is in no number but this one and that of its delivery model. */
  readonly excluded: boolean;
  /** Pulled by its cluster, and reconciled by the hub's Argo CD as well. */
  readonly reconciledOnHub: boolean;
  /** How urgent its problem is: the higher, the more; -1 where it has none. */
  readonly urgency: number;
}

/** Returns the same object for equal states, and the same string for equal texts. */
export interface Sharing {
  state(state: SummaryState): SummaryState;
  text(text: string | undefined): string | undefined;
}

const UNSHARED: Sharing = {
  state: state => state,
  text: text => text,
};

/** The revisions of all sources as one text; undefined where none is known. No revision has a space in it. */
export function versionOf({
  revision,
  revisions,
}: Pick<ClusterApplication, 'revision' | 'revisions'>): string | undefined {
  return revisions?.length ? revisions.join(' ') : revision;
}

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
        state: 'ok',
        stale: false,
        excluded: true,
        reconciledOnHub: false,
        urgency: -1,
      }),
      changedAt: undefined,
      wanted: undefined,
      compared: undefined,
      comparedVersion: undefined,
      running: undefined,
      previous: undefined,
      runningSince: undefined,
    };
  }
  const version = versionOf(row);
  const running = row.running?.notKnown ? undefined : row.running;
  const changesAt = longWaitFrom(row);
  return {
    cluster: row.cluster.name,
    state: share.state({
      health: row.health,
      sync: row.sync,
      deliveryModel: row.deliveryModel,
      state: row.state,
      stale: row.cluster.stale,
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
    wanted: share.text(row.wanted.join('\n')),
    compared: share.text(row.compared?.join('\n')),
    comparedVersion: share.text(version),
    running: share.text(running && versionOf(running)),
    previous: share.text(
      row.history?.map(versionOf).find(deployed => deployed !== version),
    ),
    runningSince: millisecondsOf(running?.since),
    ...(changesAt !== undefined &&
      input.readAt !== undefined &&
      changesAt > input.readAt && { changesAt }),
  };
}

/**
 * Counts clusters, each by the worst of its Applications; an Application that names no cluster counts for itself, and not
 * as a cluster.
 */
export function summarise(rows: Iterable<SummaryRow>): StatusSummary {
  const clusters = new Map<
    string,
    Pick<SummaryState, 'health' | 'sync' | 'state' | 'stale'>
  >();
  const targetless: SummaryState[] = [];
  let applications = 0;
  for (const { cluster, state } of rows) {
    if (state.excluded) {
      continue;
    }
    applications += 1;
    if (!cluster) {
      targetless.push(state);
      continue;
    }
    const known = clusters.get(cluster);
    clusters.set(
      cluster,
      known
        ? {
            health: worseHealth(known.health, state.health),
            sync: worseSync(known.sync, state.sync),
            state: worseState(known.state, state.state),
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
  const counts = { ok: 0, running: 0, paused: 0, blocked: 0, inTrouble: 0 };
  const staleHealth: Record<string, number> = {};
  let stale = 0;
  for (const status of [...clusters.values(), ...targetless]) {
    health[status.health] += 1;
    sync[status.sync] += 1;
    counts[status.state] += 1;
    if (status.stale) {
      stale += 1;
      staleHealth[status.health] = (staleHealth[status.health] ?? 0) + 1;
    }
  }
  return {
    clusters: clusters.size,
    ...(targetless.length > 0 && { withoutCluster: targetless.length }),
    applications,
    state: counts,
    health,
    sync,
    stale,
    staleHealth,
  };
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
  const { cluster, health } = row;
  const inTrouble = row.state === 'inTrouble';
  const severity = problemOf(row)?.severity ?? 'info';
  return inTrouble || severity !== 'info'
    ? (inTrouble ? 100 : 0) + (cluster.stale ? 0 : 10) + URGENCY[health]
    : -1;
}

const MODELS: readonly DeliveryModel[] = ['pull', 'push', 'agent'];

/** A fleet has a few revisions at a time; the memory begins anew before those of months add up. */
const MAX_SHARED_TEXTS = 10_000;

/**
 * Creates a sharing. There are some hundred possible states: the problem's text, which can be anything, is not part of
 * them.
 */
export function createSharing(): Sharing {
  const states = new Map<number, SummaryState>();
  const texts = new Map<string, string>();
  return {
    state(state) {
      const flags =
        (state.stale ? 1 : 0) +
        (state.excluded ? 2 : 0) +
        (state.reconciledOnHub ? 4 : 0) +
        OVERALL_STATES.indexOf(state.state) * 8;
      const key =
        ((((state.urgency + 1) * 64 + flags) * 8 +
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
    text(text) {
      const known = text && texts.get(text);
      if (known || !text) {
        return known;
      }
      if (texts.size >= MAX_SHARED_TEXTS) {
        texts.clear();
      }
      // As a copy: a part of a message would keep the whole message in memory.
      const copy = Buffer.from(text).toString();
      texts.set(copy, copy);
      return copy;
    },
  };
}
