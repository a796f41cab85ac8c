import type { NamespacedName } from 'backstage-plugin-argocd-fleet-common';
import {
  columnFingerprints,
  latestReport,
  RECORD_AGAIN_MS,
  type ApplicationColumns,
  type KnownRecord,
  type RecordChange,
} from '../model/status';
import type { HistoryStep } from './historySteps';

/** A row of `fleet_applications`, or some of its columns. */
export interface StoredApplication extends Readonly<Record<string, unknown>> {
  /** PostgreSQL's driver gives large integers as text. */
  readonly id: number | string;
  readonly namespace: string;
  readonly name: string;
}

/** The column of each field of a state. */
const STATE_COLUMNS = {
  applicationSet: 'application_set',
  cluster: 'cluster',
  deliveryModel: 'delivery_model',
  stale: 'stale',
  staleSince: 'stale_since',
  health: 'health',
  sync: 'sync',
  phase: 'phase',
  revision: 'revision',
  revisions: 'revisions',
  error: 'error',
  since: 'since',
  statusAt: 'status_at',
  operationStartedAt: 'operation_started_at',
} as const satisfies Record<keyof ApplicationColumns, string>;

const STATE_FIELDS = Object.entries(STATE_COLUMNS) as [
  keyof ApplicationColumns,
  string,
][];

/** Columns that a change updates in an existing row, apart from the details. */
export const UPDATED_COLUMNS = [
  ...Object.values(STATE_COLUMNS),
  ...['sequence', 'changed_at', 'updated_at', 'gone_at'],
  ...['omitted', 'history_pace'],
];

/** Columns that make a `KnownRecord`. */
export const KNOWN_COLUMNS = [
  ...['id', 'namespace', 'name', 'details_fingerprint'],
  ...[...Object.values(STATE_COLUMNS), 'sequence', 'changed_at'],
  ...['omitted', 'updated_at'],
];

/** What is known of an Application after a change, but its id. */
export function afterChange(
  change: RecordChange,
  before: KnownRecord | undefined,
  { transition, after }: HistoryStep,
  now: number,
): Omit<KnownRecord, 'id'> {
  return {
    sequence: (before?.sequence ?? 0) + (transition ? 1 : 0),
    recordAgainAt: recordAgainAt(after.omitted, now),
    changedAt: Math.max(change.changedAt, before?.changedAt ?? 0),
    reportedAt: change.reportedAt,
    ...change.fingerprints,
  };
}

/** The row of an Application after a change. */
export function toRow(
  hub: string,
  { namespace, name }: NamespacedName,
  { columns, details, fingerprints }: RecordChange,
  now: number,
  after: Omit<KnownRecord, 'id'>,
  { after: { omitted, pace } }: HistoryStep,
): Record<string, unknown> {
  const row: Record<string, unknown> = {
    ...{ hub, namespace, name },
    sequence: after.sequence,
    changed_at: after.changedAt,
    updated_at: now,
    first_seen: now,
    gone_at: null,
    omitted,
    history_pace: pace ? JSON.stringify(pace) : null,
    // Ignored for an existing row whose details are unchanged.
    details: details ?? '',
    details_fingerprint: fingerprints.details,
  };
  for (const [field, column] of STATE_FIELDS) {
    row[column] = columns[field] ?? null;
  }
  return row;
}

/** What a row says; it has the {@link KNOWN_COLUMNS}. */
export function knownRecord(row: StoredApplication): KnownRecord {
  const columns = {
    ...Object.fromEntries(
      STATE_FIELDS.map(([field, column]) => [field, row[column] ?? undefined]),
    ),
    // SQLite stores booleans as numbers.
    stale: Boolean(row.stale),
  } as ApplicationColumns;
  return {
    id: Number(row.id),
    sequence: Number(row.sequence),
    changedAt: Number(row.changed_at),
    reportedAt: latestReport(columns),
    ...columnFingerprints(columns),
    details: Number(row.details_fingerprint),
    recordAgainAt: recordAgainAt(Number(row.omitted), Number(row.updated_at)),
  };
}

/** A name as a key of maps. */
export function keyOf({ namespace, name }: NamespacedName): string {
  return `${namespace}/${name}`;
}

function recordAgainAt(omitted: number, recordedAt: number): number {
  return omitted > 0 ? recordedAt + RECORD_AGAIN_MS : 0;
}
