import type { NamespacedName } from 'backstage-plugin-argocd-fleet-common';
import type { Knex } from 'knex';
import { yieldToEventLoop } from '../async';
import {
  columnFingerprints,
  latestReport,
  type ApplicationColumns,
  type KnownRecord,
  type RecordChange,
} from '../model/status';

/** Writes the current state and the transitions of each Application. One replica at a time is the writer of a hub. */
export interface FleetRecords {
  /**
   * Makes the caller the writer of a hub, and returns its epoch. If that is its previous epoch plus 1, no other replica
   * has written in between. Writes of the previous writer are rejected from now on.
   */
  takeOver(hub: string): Promise<number>;
  /** Reads all records of a hub that are not gone, in pages. */
  load(hub: string): AsyncIterable<readonly [NamespacedName, KnownRecord][]>;
  /**
   * Writes all changes in one transaction, and returns the new records, in the order of the changes.
   * @throws TakenOverError where another writer has taken over
   */
  record(
    hub: string,
    epoch: number,
    changes: readonly NamedChange[],
  ): Promise<readonly (KnownRecord | undefined)[]>;
}

/** A change of one Application, or its deletion. */
export interface NamedChange extends NamespacedName {
  /** The record before; undefined where there is none, or where the Application was gone. */
  readonly known?: KnownRecord;
  /** Undefined where the Application is gone. */
  readonly change?: RecordChange;
  /** Milliseconds since the epoch. */
  readonly recordedAt: number;
}

/** Another replica has become the writer of the hub. */
export class TakenOverError extends Error {
  readonly name = 'TakenOverError';

  constructor(hub: string) {
    super(
      `Another replica of the backend records hub "${hub}" now: this replica's changes are rejected until its next run`,
    );
  }
}

const PAGE = 500;
/**
 * Rows of one statement: SQLite takes a limited number of values, and nothing else happens in the process while it
 * runs.
 */
const ROWS = 100;

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
const UPDATED_COLUMNS = [
  ...Object.values(STATE_COLUMNS),
  ...['sequence', 'changed_at', 'updated_at', 'gone_at'],
];

/** Columns that make a `KnownRecord`. */
const KNOWN_COLUMNS = [
  ...['id', 'namespace', 'name', 'details_fingerprint'],
  ...[...Object.values(STATE_COLUMNS), 'sequence', 'changed_at'],
];

/** Columns that a transition copies from its Application. */
const TRANSITION_COLUMNS = [
  ...(['hub', 'namespace', 'cluster', 'application_set', 'sequence'] as const),
  ...(['health', 'sync', 'phase', 'revision', 'revisions', 'error'] as const),
];

interface Row extends Readonly<Record<string, unknown>> {
  /** PostgreSQL's driver gives large integers as text. */
  readonly id: number | string;
  readonly namespace: string;
  readonly name: string;
}

/** Creates the writer; the database must be migrated. */
export function createFleetRecords(knex: Knex): FleetRecords {
  return {
    takeOver: hub =>
      knex.transaction(async trx => {
        await trx('fleet_hubs')
          .insert({ hub, epoch: 0 })
          .onConflict('hub')
          .ignore();
        await trx('fleet_hubs').where({ hub }).increment('epoch', 1);
        const row = await trx('fleet_hubs').where({ hub }).first('epoch');
        return Number(row.epoch);
      }),

    async *load(hub) {
      for (let after = 0; ;) {
        const rows: Row[] = await knex('fleet_applications')
          .where({ hub, gone_at: null })
          .where('id', '>', after)
          .orderBy('id')
          .limit(PAGE)
          .select(KNOWN_COLUMNS);
        yield rows.map(row => [
          { namespace: row.namespace, name: row.name },
          knownRecord(row),
        ]);
        const last = rows.at(-1);
        if (!last || rows.length < PAGE) {
          return;
        }
        after = Number(last.id);
        await yieldToEventLoop();
      }
    },

    record: (hub, epoch, changes) =>
      knex.transaction(async trx => {
        // The row stays locked until the commit: a new writer sees all of these changes, or none of them is written.
        const writer = await trx('fleet_hubs')
          .where({ hub })
          .forUpdate()
          .first('epoch');
        if (Number(writer?.epoch) !== epoch) {
          throw new TakenOverError(hub);
        }
        return recordAll(trx, hub, changes);
      }),
  };
}

async function recordAll(
  trx: Knex.Transaction,
  hub: string,
  changes: readonly NamedChange[],
): Promise<(KnownRecord | undefined)[]> {
  const earlier = await findGone(trx, hub, changes);
  const after = changes.map(({ known, change, ...named }) => {
    const before = known ?? earlier.get(keyOf(named));
    return change && afterChange(change, before);
  });
  const ids = new Map<string, number>();
  const upserted = changes.flatMap(({ change, recordedAt, ...named }, index) =>
    change
      ? [
          {
            named,
            change,
            row: toRow(hub, named, change, recordedAt, after[index]!),
          },
        ]
      : [],
  );
  for (const withDetails of [true, false]) {
    const rows = upserted
      .filter(({ change }) => (change.details !== undefined) === withDetails)
      .map(({ row }) => row);
    for (const some of chunks(rows)) {
      const written: Row[] = await trx('fleet_applications')
        .insert(some)
        .onConflict(['hub', 'namespace', 'name'])
        .merge(
          withDetails
            ? [...UPDATED_COLUMNS, 'details', 'details_fingerprint']
            : UPDATED_COLUMNS,
        )
        .returning(['id', 'namespace', 'name']);
      written.forEach(row => ids.set(keyOf(row), Number(row.id)));
      await yieldToEventLoop();
    }
  }
  const transitions = upserted
    .filter(({ change }) => change.isTransition)
    .map(({ named, change, row }) => ({
      application_id: ids.get(keyOf(named)),
      application_set_uid: change.applicationSetUid ?? null,
      at: row.changed_at,
      recorded_at: row.updated_at,
      ...Object.fromEntries(
        TRANSITION_COLUMNS.map(column => [column, row[column]]),
      ),
    }));
  for (const some of chunks(transitions)) {
    await trx('fleet_transitions').insert(some);
    await yieldToEventLoop();
  }
  const gone = changes.filter(({ change }) => !change);
  if (gone.length > 0) {
    const at = gone[0].recordedAt;
    await trx('fleet_applications')
      .whereIn(
        'id',
        gone.flatMap(({ known }) => known?.id ?? []),
      )
      .update({ gone_at: at, updated_at: at });
  }
  return changes.map((named, index) => {
    const known = after[index];
    return known && { ...known, id: ids.get(keyOf(named))! };
  });
}

/** Reads the records of Applications that were gone and are back: their history continues. */
async function findGone(
  trx: Knex.Transaction,
  hub: string,
  changes: readonly NamedChange[],
): Promise<ReadonlyMap<string, KnownRecord>> {
  const names = changes
    .filter(({ known, change }) => change && !known)
    .map(({ namespace, name }) => [namespace, name]);
  const found = new Map<string, KnownRecord>();
  for (const some of chunks(names)) {
    const rows: Row[] = await trx('fleet_applications')
      .where({ hub })
      .whereIn(['namespace', 'name'], some)
      .select(KNOWN_COLUMNS);
    rows.forEach(row => found.set(keyOf(row), knownRecord(row)));
    await yieldToEventLoop();
  }
  return found;
}

function afterChange(
  change: RecordChange,
  before: KnownRecord | undefined,
): Omit<KnownRecord, 'id'> {
  return {
    sequence: (before?.sequence ?? 0) + (change.isTransition ? 1 : 0),
    changedAt: Math.max(change.changedAt, before?.changedAt ?? 0),
    reportedAt: change.reportedAt,
    ...change.fingerprints,
  };
}

function toRow(
  hub: string,
  { namespace, name }: NamespacedName,
  { columns, details, fingerprints }: RecordChange,
  now: number,
  after: Omit<KnownRecord, 'id'>,
): Record<string, unknown> {
  const row: Record<string, unknown> = {
    ...{ hub, namespace, name },
    sequence: after.sequence,
    changed_at: after.changedAt,
    updated_at: now,
    first_seen: now,
    gone_at: null,
    // Ignored for an existing row whose details are unchanged.
    details: details ?? '',
    details_fingerprint: fingerprints.details,
  };
  for (const [field, column] of STATE_FIELDS) {
    row[column] = columns[field] ?? null;
  }
  return row;
}

function knownRecord(row: Row): KnownRecord {
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
  };
}

function keyOf({ namespace, name }: NamespacedName): string {
  return `${namespace}/${name}`;
}

function* chunks<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += ROWS) {
    yield items.slice(start, start + ROWS);
  }
}
