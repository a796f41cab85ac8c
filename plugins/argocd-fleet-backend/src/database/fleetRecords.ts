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

/** The current state of each Application, and how it came about, for the one that writes it. */
export interface FleetRecords {
  /**
   * Makes the caller the one that writes about a hub, and answers with its epoch. When that is the one after its last, nobody else has
   * written meanwhile. Whoever wrote before is refused from now on.
   */
  takeOver(hub: string): Promise<number>;
  /** Everything that is recorded of a hub and not gone, in pages. */
  load(hub: string): AsyncIterable<readonly [NamespacedName, KnownRecord][]>;
  /**
   * Writes all of it or nothing, and answers with what is to be kept in mind, in the order of the changes.
   * @throws TakenOverError where another writer has taken over
   */
  record(
    hub: string,
    epoch: number,
    changes: readonly NamedChange[],
  ): Promise<readonly (KnownRecord | undefined)[]>;
}

/** What is to be written of one Application: a change, or that it is gone. */
export interface NamedChange extends NamespacedName {
  /** Undefined where nothing is known of it, or where it was gone. */
  readonly known?: KnownRecord;
  /** Undefined for one that is gone. */
  readonly change?: RecordChange;
  /** Milliseconds since the epoch. */
  readonly recordedAt: number;
}

/** Another replica has begun to write about the hub. */
export class TakenOverError extends Error {
  readonly name = 'TakenOverError';

  constructor(hub: string) {
    super(
      `Another replica of the backend has begun to record hub "${hub}": what this one has to record is not taken before its next run`,
    );
  }
}

const PAGE = 500;
/** Rows of one statement: SQLite takes a limited number of values, and nothing else happens in the process while it runs. */
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

/** What a change writes of a row that is there already, but for its details. */
const UPDATED_COLUMNS = [
  ...Object.values(STATE_COLUMNS),
  ...['sequence', 'changed_at', 'updated_at', 'gone_at'],
];

/** What of a row is known to its writer. */
const KNOWN_COLUMNS = [
  ...['id', 'namespace', 'name', 'details_fingerprint'],
  ...[...Object.values(STATE_COLUMNS), 'sequence', 'changed_at'],
];

/** What a transition has of the row of its Application. */
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

/** Creates the records in a database. */
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
        // Held until the end, so that a writer that takes over sees all of this, or none of it is written.
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
  const earlier = await findEarlier(trx, hub, changes);
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
    .map(({ named, row }) => ({
      application_id: ids.get(keyOf(named)),
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

/** What is recorded of Applications that were gone: their history goes on. */
async function findEarlier(
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
    // Ignored where the row exists and its details are the same.
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
    // SQLite has numbers for booleans.
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
