import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { BATCH, inBatches } from './batches';

/** Number of removed rows. */
export interface Removed {
  readonly transitions: number;
  readonly applications: number;
}

/** PostgreSQL's driver gives large integers as text. */
type Row = Readonly<Record<'id' | 'at' | 'sequence' | 'last', number | string>>;

/**
 * Removes transitions that are older than `before`, except the last one of each Application: it says since when the
 * current state holds. Applications that were gone before that time are removed with all of their transitions.
 * @param before - milliseconds since the epoch
 */
export async function removeHistory(
  knex: Knex,
  before: number,
  signal: AbortSignal,
): Promise<Removed> {
  return {
    transitions: await removeTransitions(knex, before, signal),
    applications: await removeApplications(knex, before, signal),
  };
}

async function removeTransitions(
  knex: Knex,
  before: number,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  // The cursor passes each kept transition once; otherwise every batch would find it again.
  let [at, id] = [0, 0];
  while (!signal.aborted) {
    const begun = performance.now();
    const page = knex('fleet_transitions')
      .where('at', '<', before)
      .whereRaw('(at, id) > (?, ?)', [at, id])
      .orderBy([{ column: 'at' }, { column: 'id' }])
      .limit(BATCH)
      .select('id', 'at', 'application_id', 'sequence');
    const rows: readonly Row[] = await knex
      .from(page.as('t'))
      .join('fleet_applications as a', 'a.id', 't.application_id')
      .orderBy([{ column: 't.at' }, { column: 't.id' }])
      .select('t.id', 't.at', 't.sequence', { last: 'a.sequence' });
    const ids = rows
      // Safe without a lock: a transition that is not the last one never becomes the last one again.
      .filter(({ sequence, last }) => Number(sequence) < Number(last))
      .map(each => each.id);
    removed += await knex('fleet_transitions').whereIn('id', ids).delete();
    const end = rows.at(-1);
    if (!end || rows.length < BATCH) {
      break;
    }
    [at, id] = [Number(end.at), Number(end.id)];
    await pause(performance.now() - begun);
  }
  return removed;
}

/** Their last transitions are deleted with them by the foreign key. */
function removeApplications(
  knex: Knex,
  before: number,
  signal: AbortSignal,
): Promise<number> {
  const ids = knex('fleet_applications')
    .where('gone_at', '<', before)
    .orderBy('gone_at')
    .limit(BATCH)
    .select('id');
  return inBatches(signal, () =>
    knex('fleet_applications')
      .whereIn('id', ids)
      // After waiting for a lock, PostgreSQL checks this condition again, but not the subquery: an Application may be
      // back by then.
      .where('gone_at', '<', before)
      .delete(),
  );
}
