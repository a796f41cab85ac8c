import type { Knex } from 'knex';
import { yieldToEventLoop } from '../async';
import { historyTexts, type RecordChange } from '../model/status';
import { chunks } from './chunks';

/** A transition of an Application that has a row. */
export interface NewTransition {
  readonly applicationId: number;
  /** The Application's row, which has its new state. */
  readonly row: Readonly<Record<string, unknown>>;
  readonly change: RecordChange;
  readonly sequence: number;
  readonly isMilestone: boolean;
  /** Changes between the transition before and this one that are not recorded. */
  readonly omitted: number;
}

/** Columns that a transition copies from its Application. */
const COPIED_COLUMNS = [
  ...(['hub', 'namespace', 'cluster', 'application_set'] as const),
  ...(['health', 'sync', 'phase', 'stale'] as const),
];

/**
 * Adds transitions, and for each of an Application that has `kept` already, removes the one that it takes the place of,
 * unless that is a milestone.
 */
export async function addTransitions(
  trx: Knex.Transaction,
  added: readonly NewTransition[],
  kept: number,
): Promise<void> {
  for (const some of chunks(added)) {
    await trx('fleet_transitions').insert(some.map(toRow));
    await yieldToEventLoop();
  }
  const replaced = added
    .filter(({ sequence }) => sequence > kept)
    .map(({ applicationId, sequence }) => [applicationId, sequence - kept]);
  for (const some of chunks(replaced)) {
    await trx('fleet_transitions')
      .whereIn(['application_id', 'sequence'], some)
      .where({ milestone: false })
      .delete();
    await yieldToEventLoop();
  }
}

function toRow({
  applicationId,
  row,
  change,
  sequence,
  isMilestone,
  omitted,
}: NewTransition): Record<string, unknown> {
  const { revision, revisions, error } = historyTexts(change.columns);
  return {
    application_id: applicationId,
    application_set_uid: change.applicationSetUid ?? null,
    at: row.changed_at,
    recorded_at: row.updated_at,
    ...Object.fromEntries(COPIED_COLUMNS.map(column => [column, row[column]])),
    revision: revision ?? null,
    revisions: revisions ?? null,
    error: error ?? null,
    sequence,
    milestone: isMilestone,
    omitted,
  };
}
