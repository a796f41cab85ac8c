import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { BATCH, inBatches } from './batches';

/** What a removal removed. */
export interface Removed {
  readonly transitions: number;
  readonly applications: number;
}

/** PostgreSQL's driver gives large integers as text. */
type Row = Readonly<Record<'id' | 'at' | 'sequence' | 'last', number | string>>;

/**
 * Removes transitions that are older than that, but for the last of each Application: it tells since when the Application is as it is.
 * That one goes with the Application, once it was gone before.
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
  // What is kept is passed over once, and not found again by each batch.
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
      // Another one may have become the last since this was read; none has become it again.
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

/** Their transitions go with them: the last one of each, after what was removed before. */
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
      // PostgreSQL does not look at the others again when it has waited for somebody who brought one of them back.
      .where('gone_at', '<', before)
      .delete(),
  );
}
