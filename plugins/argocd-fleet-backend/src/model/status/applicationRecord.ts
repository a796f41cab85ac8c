import { hash } from 'node:crypto';
import type { ClusterApplication } from 'backstage-plugin-argocd-fleet-common';

/** The state whose changes are transitions: a change of any of these fields is one. */
export interface RecordedState {
  readonly health: string;
  readonly sync: string;
  readonly phase?: string;
  /** Revision of the first source, if there are several. */
  readonly revision?: string;
  /** JSON: revisions of all sources; undefined unless there are several. */
  readonly revisions?: string;
  /** The first error, in one line. */
  readonly error?: string;
}

/** An Application as the database has it, without its name. */
export interface ApplicationColumns extends RecordedState {
  /** In the Application's own namespace. */
  readonly applicationSet?: string;
  readonly cluster: string;
  readonly deliveryModel: string;
  readonly stale: boolean;
  readonly staleSince?: string;
  readonly since?: string;
  /**
   * When this was reported. Argo CD reconciles its Applications every few minutes, and most are unchanged: a later time
   * alone is not recorded.
   */
  readonly statusAt?: string;
  readonly operationStartedAt?: string;
}

/** What is recorded of an Application. */
export interface ApplicationRecord {
  readonly columns: ApplicationColumns;
  /** JSON: the rest of its details, without what follows from the other fields, such as the delivery steps. */
  readonly details: string;
  /**
   * Of the ApplicationSet that owns it: another one may get the name later. Transitions have it; a
   * change of it alone is none.
   */
  readonly applicationSetUid?: string;
}

/** What the writer remembers of a recorded Application; texts as fingerprints, since there are many. */
export interface KnownRecord {
  readonly id: number;
  /** Number of its last transition. */
  readonly sequence: number;
  /** Time of its last transition; milliseconds since the epoch. */
  readonly changedAt: number;
  /** The latest time that its cluster had reported, likewise; 0 if none. */
  readonly reportedAt: number;
  readonly state: number;
  /** Of the first error. */
  readonly error: number;
  readonly columns: number;
  readonly details: number;
  /**
   * When to record a state again that did not become a transition, so that the history ends with the state that holds;
   * milliseconds since the epoch, 0 where it does.
   */
  readonly recordAgainAt: number;
}

/** What to write about an Application. */
export interface RecordChange extends Pick<
  ApplicationRecord,
  'applicationSetUid'
> {
  readonly columns: ApplicationColumns;
  /** Undefined if unchanged. */
  readonly details?: string;
  /** Whether the state changed, at the time `changedAt`: a transition, if the history has room for it. */
  readonly isTransition: boolean;
  /** Whether the state is as before, and did not become a transition then. */
  readonly isOverdue: boolean;
  readonly changedAt: number;
  readonly reportedAt: number;
  readonly fingerprints: Pick<
    KnownRecord,
    'state' | 'error' | 'columns' | 'details'
  >;
}

/** Characters of an error that are recorded and compared for transitions; the conditions have all of it. */
export const MAX_ERROR_LENGTH = 4_096;
/** A push-model cluster may be named by a URL of any length, and indexes of PostgreSQL hold less than 3 KB. */
export const MAX_CLUSTER_LENGTH = 512;

/** An owner reference may contain any name and UID; no ApplicationSet has a longer one. */
const MAX_NAME_LENGTH = 253;

/** The record of a row of the API. */
export function applicationRecord(
  row: ClusterApplication,
  applicationSet: string | undefined,
  applicationSetUid?: string,
): ApplicationRecord {
  const {
    application: _name,
    steps: _steps,
    state: _state,
    wanted: _wanted,
    compared: _compared,
    running: _running,
    cluster,
    deliveryModel,
    health,
    sync,
    phase,
    revision,
    revisions = [],
    error,
    since,
    statusAt,
    operationStartedAt,
    sources,
    ...details
  } = row;
  return {
    columns: {
      applicationSet: storable(applicationSet?.slice(0, MAX_NAME_LENGTH)),
      cluster: storable(cluster.name.slice(0, MAX_CLUSTER_LENGTH)),
      deliveryModel,
      stale: cluster.stale,
      staleSince: storable(cluster.staleSince),
      health,
      sync,
      phase,
      revision: storable(revision ?? revisions[0]),
      revisions: revisions.length > 1 ? JSON.stringify(revisions) : undefined,
      error: storable(error?.slice(0, MAX_ERROR_LENGTH)),
      since: storable(since),
      statusAt: storable(statusAt),
      operationStartedAt: storable(operationStartedAt),
    },
    details: JSON.stringify({
      ...details,
      sources: sources && origins(sources),
    }),
    applicationSetUid: storable(applicationSetUid?.slice(0, MAX_NAME_LENGTH)),
  };
}

/** Sources of the details, without their times: those change while the details do not. */
function origins(sources: NonNullable<ClusterApplication['sources']>) {
  return Object.fromEntries(
    Object.entries(sources).map(([part, { observedAt: _at, ...origin }]) => [
      part,
      origin,
    ]),
  );
}

/**
 * Compares a record with what the database has; undefined where nothing differs, and the history has the state or is not
 * to be asked again yet.
 *
 * The time of a transition to another error is that since when the error exists, as pages show it. The time of any other
 * is the latest that the cluster reports for this state, if it is later than those it reported before: when its health
 * changed, its operation began, its status was written, or it became stale. Otherwise it is `now`. Clocks of clusters differ: no transition is later than now, and
 * none is earlier than the one before it.
 * @param now - milliseconds since the epoch
 */
export function recordChange(
  record: ApplicationRecord,
  known: KnownRecord | undefined,
  now: number,
): RecordChange | undefined {
  const { columns } = record;
  const fingerprints = {
    ...columnFingerprints(columns),
    details: fingerprint(record.details),
  };
  if (
    known?.columns === fingerprints.columns &&
    known.details === fingerprints.details &&
    !isDue(known, now)
  ) {
    return undefined;
  }
  const reportedAt = latestReport(columns);
  const isTransition = known?.state !== fingerprints.state;
  const errorAt =
    columns.error && known?.error !== fingerprints.error
      ? Date.parse(columns.since ?? '')
      : NaN;
  const changeAt = reportedAt > (known?.reportedAt ?? 0) ? reportedAt : now;
  // An error that is a consequence of an earlier change has its own time.
  const stateAt = errorAt > (known?.changedAt ?? 0) ? errorAt : changeAt;
  return {
    columns,
    applicationSetUid: record.applicationSetUid,
    details:
      known?.details === fingerprints.details ? undefined : record.details,
    isTransition,
    isOverdue: !isTransition && known.recordAgainAt > 0,
    changedAt:
      known && !isTransition
        ? known.changedAt
        : Math.max(Math.min(stateAt, now), known?.changedAt ?? 0),
    reportedAt,
    fingerprints,
  };
}

/**
 * Whether a state that did not become a transition is to be recorded again.
 * @param now - milliseconds since the epoch
 */
export function isDue(
  { recordAgainAt }: Pick<KnownRecord, 'recordAgainAt'>,
  now: number,
): boolean {
  return recordAgainAt > 0 && now >= recordAgainAt;
}

/** Fingerprints of an Application that is recorded with these columns. */
export function columnFingerprints(
  columns: ApplicationColumns,
): Pick<KnownRecord, 'state' | 'error' | 'columns'> {
  const { health, sync, phase, revision, error, revisions } = columns;
  const { applicationSet, cluster, deliveryModel, stale, staleSince } = columns;
  const { since, operationStartedAt } = columns;
  const state = [health, sync, phase, revision, error].concat(revisions ?? []);
  return {
    state: fingerprint(JSON.stringify(state)),
    error: error === undefined ? 0 : fingerprint(error),
    columns: fingerprint(
      JSON.stringify([
        ...state,
        ...[applicationSet, cluster, deliveryModel, stale, staleSince],
        ...[since, operationStartedAt],
      ]),
    ),
  };
}

/** The latest time that the cluster reports; milliseconds since the epoch, 0 if none. */
export function latestReport(columns: ApplicationColumns): number {
  const { since, statusAt, operationStartedAt, staleSince } = columns;
  return [since, statusAt, operationStartedAt, staleSince]
    .map(time => Date.parse(time ?? ''))
    .filter(time => time > 0)
    .reduce((latest, time) => Math.max(latest, time), 0);
}

/** 48 bits, which a number holds exactly and a database as an integer. */
export function fingerprint(text: string): number {
  return hash('sha1', text, 'buffer').readUIntBE(0, 6);
}

/** A text that a database returns unchanged: PostgreSQL takes no NUL, and UTF-8 has no half of a surrogate pair. */
function storable<T extends string | undefined>(text: T): T {
  return text?.replace(/\0|\p{Surrogate}/gu, '\uFFFD') as T;
}
