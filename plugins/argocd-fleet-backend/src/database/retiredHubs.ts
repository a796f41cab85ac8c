import type { Knex } from 'knex';
import { BATCH, inBatches } from './batches';

/**
 * Retires hubs that are no longer configured: no controller runs for them that would mark their Applications as gone.
 * @param startedBefore - milliseconds since the epoch
 */
export async function retireUnconfiguredHubs(
  knex: Knex,
  configured: readonly string[],
  startedBefore: number,
  signal: AbortSignal,
): Promise<number> {
  let left = 0;
  for (const hub of await unconfiguredHubs(knex, 'fleet_hubs', configured)) {
    left += await markGone(knex, hub, signal);
  }
  for (const hub of await unconfiguredHubs(knex, 'source_rounds', configured)) {
    await deleteAnswers(knex, hub, startedBefore, signal);
  }
  return left;
}

async function unconfiguredHubs(
  knex: Knex,
  table: string,
  configured: readonly string[],
): Promise<string[]> {
  const rows = await knex(table).distinct('hub').whereNotIn('hub', configured);
  return rows.map(row => row.hub);
}

async function markGone(
  knex: Knex,
  hub: string,
  signal: AbortSignal,
): Promise<number> {
  const left = () => knex('fleet_applications').where({ hub, gone_at: null });
  if (!(await left().first('id'))) {
    return 0;
  }
  // A replica with a newer configuration may already record this hub. The new epoch makes it read and correct its
  // records.
  await knex('fleet_hubs').where({ hub }).increment('epoch', 1);
  const at = Date.now();
  return inBatches(signal, () =>
    knex('fleet_applications')
      .whereIn('id', left().limit(BATCH).select('id'))
      .where({ gone_at: null })
      .update({ gone_at: at, updated_at: at }),
  );
}

/** Keeps the answers of a hub that another replica, with a newer configuration, may have just started to query. */
async function deleteAnswers(
  knex: Knex,
  hub: string,
  startedBefore: number,
  signal: AbortSignal,
): Promise<void> {
  const rounds = await knex('source_rounds').where({ hub }).select('asked_at');
  if (rounds.some(({ asked_at: at }) => !(Date.parse(at) < startedBefore))) {
    return;
  }
  const some = knex('source_answers')
    .where({ hub })
    .limit(BATCH)
    .select('application');
  await inBatches(signal, () =>
    knex('source_answers').where({ hub }).whereIn('application', some).delete(),
  );
  if (!signal.aborted) {
    await knex('source_rounds').where({ hub }).delete();
  }
}
