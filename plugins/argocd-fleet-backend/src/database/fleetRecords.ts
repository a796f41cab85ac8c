import type { NamespacedName } from 'backstage-plugin-argocd-fleet-common';
import type { Knex } from 'knex';
import { yieldToEventLoop } from '../async';
import {
  createHistoryGate,
  HISTORY_LIMITS,
  type HistoryGate,
  type KnownRecord,
  type MinuteCount,
  type RecordChange,
} from '../model/status';
import {
  afterChange,
  keyOf,
  KNOWN_COLUMNS,
  knownRecord,
  toRow,
  UPDATED_COLUMNS,
  type StoredApplication,
} from './applicationRows';
import { chunks } from './chunks';
import {
  historyColumns,
  historyStep,
  NO_HISTORY,
  type HistoryColumns,
} from './historySteps';
import { addTransitions } from './transitionRows';

/** Writes the current state of each Application, and its transitions as far as the history has room for them. One replica at a time is the writer of a hub. */
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
/** Creates the writer; the database must be migrated. */
export function createFleetRecords(
  knex: Knex,
  limits = HISTORY_LIMITS,
): FleetRecords {
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
        const rows: StoredApplication[] = await knex('fleet_applications')
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
          .first('epoch', 'history_minute', 'in_history_minute');
        if (Number(writer?.epoch) !== epoch) {
          throw new TakenOverError(hub);
        }
        const before = minuteCount(writer);
        const gate = createHistoryGate(before, limits);
        const after = await recordAll(trx, hub, changes, gate, limits.kept);
        const { hubMinute } = gate;
        if (hubMinute !== before) {
          await trx('fleet_hubs').where({ hub }).update({
            history_minute: hubMinute?.minute,
            in_history_minute: hubMinute?.count,
          });
        }
        return after;
      }),
  };
}

async function recordAll(
  trx: Knex.Transaction,
  hub: string,
  changes: readonly NamedChange[],
  gate: HistoryGate,
  kept: number,
): Promise<(KnownRecord | undefined)[]> {
  const earlier = await findGone(trx, hub, changes);
  const histories = await readHistories(trx, changes);
  const planned = changes.map(({ known, change, recordedAt, ...named }) => {
    if (!change) {
      return undefined;
    }
    const gone = earlier.get(keyOf(named));
    const history = known ? histories.get(known.id) : gone?.history;
    const step = historyStep(gate, change, recordedAt, history ?? NO_HISTORY);
    const before = known ?? gone?.record;
    const after = afterChange(change, before, step, recordedAt);
    const row = toRow(hub, named, change, recordedAt, after, step);
    return { named, change, step, after, row };
  });
  const upserted = planned.filter(each => each !== undefined);
  const ids = await upsert(trx, upserted);
  await addTransitions(
    trx,
    upserted.flatMap(({ named, change, row, after, step: { transition } }) =>
      transition
        ? [
            {
              ...{ row, change, ...transition },
              applicationId: ids.get(keyOf(named))!,
              sequence: after.sequence,
            },
          ]
        : [],
    ),
    kept,
  );
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
  return planned.map(
    each => each && { ...each.after, id: ids.get(keyOf(each.named))! },
  );
}

/** Writes the rows of Applications, and returns their ids by name. */
async function upsert(
  trx: Knex.Transaction,
  upserted: readonly {
    readonly change: RecordChange;
    readonly row: Readonly<Record<string, unknown>>;
  }[],
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const withDetails of [true, false]) {
    const rows = upserted
      .filter(({ change }) => (change.details !== undefined) === withDetails)
      .map(({ row }) => row);
    for (const some of chunks(rows)) {
      const written: StoredApplication[] = await trx('fleet_applications')
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
  return ids;
}

/** Reads what the rows of the changed Applications have of their history, by id. */
async function readHistories(
  trx: Knex.Transaction,
  changes: readonly NamedChange[],
): Promise<ReadonlyMap<number, HistoryColumns>> {
  const ids = changes.flatMap(({ known, change }) =>
    known && change ? [known.id] : [],
  );
  const found = new Map<number, HistoryColumns>();
  for (const some of chunks(ids)) {
    const rows: StoredApplication[] = await trx('fleet_applications')
      .whereIn('id', some)
      .select('id', 'omitted', 'history_pace');
    rows.forEach(row => found.set(Number(row.id), historyColumns(row)));
    await yieldToEventLoop();
  }
  return found;
}

/** Reads the records of Applications that were gone and are back: their history continues. */
async function findGone(
  trx: Knex.Transaction,
  hub: string,
  changes: readonly NamedChange[],
): Promise<
  ReadonlyMap<
    string,
    { readonly record: KnownRecord; readonly history: HistoryColumns }
  >
> {
  const names = changes
    .filter(({ known, change }) => change && !known)
    .map(({ namespace, name }) => [namespace, name]);
  const found: Map<string, { record: KnownRecord; history: HistoryColumns }> =
    new Map();
  for (const some of chunks(names)) {
    const rows: StoredApplication[] = await trx('fleet_applications')
      .where({ hub })
      .whereIn(['namespace', 'name'], some)
      .select([...KNOWN_COLUMNS, 'history_pace']);
    rows.forEach(row =>
      found.set(keyOf(row), {
        record: knownRecord(row),
        history: historyColumns(row),
      }),
    );
    await yieldToEventLoop();
  }
  return found;
}

function minuteCount(
  hub: Readonly<Record<string, unknown>>,
): MinuteCount | undefined {
  return hub.history_minute === null
    ? undefined
    : {
        minute: Number(hub.history_minute),
        count: Number(hub.in_history_minute),
      };
}
