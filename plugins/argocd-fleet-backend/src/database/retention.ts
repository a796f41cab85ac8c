import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Knex } from 'knex';

/** Small enough not to hold up anybody who writes meanwhile, nor the process, where the database is SQLite. */
const BATCH = 500;

/** What a removal removed. */
export interface Removed {
  readonly transitions: number;
  readonly applications: number;
}

/**
 * Removes transitions that are older than that, and the Applications that were gone before.
 * @param before - milliseconds since the epoch
 */
export async function removeHistory(
  knex: Knex,
  before: number,
  signal: AbortSignal,
): Promise<Removed> {
  return {
    transitions: await removeOlder(
      knex,
      'fleet_transitions',
      'at',
      before,
      signal,
    ),
    applications: await removeOlder(
      knex,
      'fleet_applications',
      'gone_at',
      before,
      signal,
    ),
  };
}

async function removeOlder(
  knex: Knex,
  table: string,
  column: string,
  before: number,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  while (!signal.aborted) {
    const ids = knex(table)
      .where(column, '<', before)
      .orderBy(column)
      .limit(BATCH)
      .select('id');
    const count = await knex(table).whereIn('id', ids).delete();
    removed += count;
    if (count < BATCH) {
      break;
    }
    await yieldToOthers();
  }
  return removed;
}
