import { hash } from 'node:crypto';
import type { ClusterApplication } from 'backstage-plugin-argocd-fleet-common';

/** What a transition is about: it is one when any of these is another one, to the letter. */
export interface RecordedState {
  readonly health: string;
  readonly sync: string;
  readonly phase?: string;
  /** Of the first source, where there are several. */
  readonly revision?: string;
  /** JSON: of each source; undefined where there are not several. */
  readonly revisions?: string;
  /** The first error, in one line. */
  readonly error?: string;
}

/** An Application as the database has it, less its name. */
export interface ApplicationColumns extends RecordedState {
  /** In the Application's own namespace. */
  readonly applicationSet?: string;
  readonly cluster: string;
  readonly deliveryModel: string;
  readonly stale: boolean;
  readonly staleSince?: string;
  readonly since?: string;
  /**
   * When this was reported as it is. Argo CD looks at its Applications every few minutes and finds most of them as they were: that alone
   * is nothing to record.
   */
  readonly statusAt?: string;
  readonly operationStartedAt?: string;
}

/** What there is to record of an Application. */
export interface ApplicationRecord {
  readonly columns: ApplicationColumns;
  /** JSON: the rest of its row. The steps of its way follow from all that, and are left out. */
  readonly details: string;
}

/** What the writer keeps in mind of a recorded Application; texts only by their fingerprints, since there are many. */
export interface KnownRecord {
  readonly id: number;
  /** Of its last transition. */
  readonly sequence: number;
  /** Of its last transition; milliseconds since the epoch. */
  readonly changedAt: number;
  /** The latest time that its cluster had told, likewise; 0 where none had. */
  readonly reportedAt: number;
  readonly state: number;
  readonly columns: number;
  readonly details: number;
}

/** What is to be written of an Application. */
export interface RecordChange {
  readonly columns: ApplicationColumns;
  /** Undefined where they are as they were. */
  readonly details?: string;
  /** Whether this is a transition, with the time `changedAt`. */
  readonly isTransition: boolean;
  readonly changedAt: number;
  readonly reportedAt: number;
  readonly fingerprints: Pick<KnownRecord, 'state' | 'columns' | 'details'>;
}

/** Of an error, so many characters are recorded, and differ where a transition is told by it; the conditions have all of it. */
export const MAX_ERROR_LENGTH = 4_096;
/** A push-model cluster may be named by a URL of any length, and indexes of PostgreSQL hold less than 3 KB. */
export const MAX_CLUSTER_LENGTH = 512;

/** An owner may be named as anybody likes; no ApplicationSet has a longer name. */
const MAX_NAME_LENGTH = 253;

/** What there is to record of a row of the API. */
export function applicationRecord(
  row: ClusterApplication,
  applicationSet: string | undefined,
): ApplicationRecord {
  const {
    application: _name,
    steps: _steps,
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
  };
}

/** Where the details are from, without when they were said: that changes with nothing new in them. */
function origins(sources: NonNullable<ClusterApplication['sources']>) {
  return Object.fromEntries(
    Object.entries(sources).map(([part, { observedAt: _at, ...origin }]) => [
      part,
      origin,
    ]),
  );
}

/**
 * Compares with what is recorded; undefined where that says the same.
 *
 * A transition carries the latest time that its cluster tells of this state, if it tells of any that it had not told before: when its
 * health turned, when its operation began, when its status was made, when it fell silent. Else it carries `now`, as where nobody knew of
 * the Application before. Clocks of clusters are off: no transition is later than now, and none earlier than the one before it.
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
    known.details === fingerprints.details
  ) {
    return undefined;
  }
  const reportedAt = latestReport(columns);
  const isTransition = known?.state !== fingerprints.state;
  const toldAt = reportedAt > (known?.reportedAt ?? 0) ? reportedAt : now;
  return {
    columns,
    details:
      known?.details === fingerprints.details ? undefined : record.details,
    isTransition,
    changedAt:
      known && !isTransition
        ? known.changedAt
        : Math.max(Math.min(toldAt, now), known?.changedAt ?? 0),
    reportedAt,
    fingerprints,
  };
}

/** What to keep in mind of an Application that is recorded with these columns. */
export function columnFingerprints(
  columns: ApplicationColumns,
): Pick<KnownRecord, 'state' | 'columns'> {
  const { health, sync, phase, revision, error, revisions } = columns;
  const { applicationSet, cluster, deliveryModel, stale, staleSince } = columns;
  const { since, operationStartedAt } = columns;
  const state = [health, sync, phase, revision, error].concat(revisions ?? []);
  return {
    state: fingerprint(JSON.stringify(state)),
    columns: fingerprint(
      JSON.stringify([
        ...state,
        ...[applicationSet, cluster, deliveryModel, stale, staleSince],
        ...[since, operationStartedAt],
      ]),
    ),
  };
}

/** The latest time that the cluster tells; milliseconds since the epoch, 0 where it tells none. */
export function latestReport(columns: ApplicationColumns): number {
  const { since, statusAt, operationStartedAt, staleSince } = columns;
  return [since, statusAt, operationStartedAt, staleSince]
    .map(time => Date.parse(time ?? ''))
    .filter(time => time > 0)
    .reduce((latest, time) => Math.max(latest, time), 0);
}

/** 48 bits, which a number holds exactly and a database as an integer. */
function fingerprint(text: string): number {
  return hash('sha1', text, 'buffer').readUIntBE(0, 6);
}

/** What a database gives back as it was: PostgreSQL takes no NUL in a text, and UTF-8 has no half of a character. */
function storable<T extends string | undefined>(text: T): T {
  return text?.replace(/\0|\p{Surrogate}/gu, '\uFFFD') as T;
}
