import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import type { Knex } from 'knex';
import { yieldToEventLoop } from '../async';

/** A source's answer for one Application, as it is stored. */
export interface StoredAnswer {
  /** Key of the hub Application. */
  readonly application: string;
  readonly cluster: string;
  /** `ApplicationDetails` as JSON; undefined where the source no longer knows the Application. */
  readonly details?: string;
  /** RFC 3339. Start of the round that changed an earlier answer; undefined for the first answer. */
  readonly changedAt?: string;
}

/** A cluster or an Application that is missing in a source's answers. */
export interface LateAnswer {
  /** RFC 3339. Last round that had it. */
  readonly since: string;
  /** Number of rounds since then. */
  readonly missed: number;
}

/** The last round of a source: one query about all Applications of a hub. */
export interface StoredRound {
  /** 0 before the first. */
  readonly revision: number;
  /** RFC 3339; undefined before the first. */
  readonly startedAt?: string;
  /**
   * By name, the clusters that the answer covers only in part or not at all; by key, the Applications that are missing
   * while others of their cluster are there.
   */
  readonly late: Readonly<Record<string, LateAnswer>>;
  readonly findings: readonly Finding[];
}

/** The round before the first. */
export const NO_ROUND: StoredRound = { revision: 0, late: {}, findings: [] };

/** The answers of resource sources in the plugin's database. */
export interface AnswerStore {
  /** Reads the last round of a source; {@link NO_ROUND} if there was none. */
  readRound(hub: string, source: string): Promise<StoredRound>;
  /** Reads, in pages, the answers that changed after a revision; after 0, all answers without deleted ones. */
  readAnswers(
    hub: string,
    source: string,
    afterRevision: number,
  ): AsyncIterable<readonly StoredAnswer[]>;
  /**
   * Stores a round and its changed answers in one transaction.
   * @param round - its revision must be the last one plus 1
   * @throws OvertakenError where another replica has stored that revision already
   */
  write(
    hub: string,
    source: string,
    round: StoredRound & { readonly startedAt: string },
    answers: readonly StoredAnswer[],
  ): Promise<void>;
}

/** Another replica has stored a round since this one started. */
export class ConcurrentRoundError extends Error {
  readonly name = 'OvertakenError';
}

/** Deleted answers are kept for so many rounds. A replica that is further behind has to read all answers. */
export const REMEMBERED_ROUNDS = 1_000;

const ROUNDS = 'source_rounds';
const ANSWERS = 'source_answers';
/**
 * Rows of one statement: SQLite takes a limited number of values, and nothing else happens in the process while it
 * runs.
 */
const ROWS = 100;
const PAGE = 500;

interface RoundRow {
  readonly hub: string;
  readonly source: string;
  readonly revision: number | string;
  readonly asked_at: string;
  readonly late: string;
  readonly findings: string;
}

interface AnswerRow {
  readonly hub: string;
  readonly source: string;
  readonly application: string;
  readonly cluster: string;
  readonly revision: number | string;
  readonly changed_at: string | null;
  readonly details: string | null;
}

/** Creates the store; the database must be migrated. */
export function createAnswerStore(knex: Knex): AnswerStore {
  return {
    async readRound(hub, source) {
      const row = await knex<RoundRow>(ROUNDS).where({ hub, source }).first();
      return row
        ? {
            revision: Number(row.revision),
            startedAt: row.asked_at,
            late: JSON.parse(row.late),
            findings: JSON.parse(row.findings),
          }
        : NO_ROUND;
    },

    async *readAnswers(hub, source, afterRevision) {
      for (let after = ''; ;) {
        const query = knex<AnswerRow>(ANSWERS)
          .where({ hub, source })
          .where('revision', '>', afterRevision)
          .where('application', '>', after)
          .orderBy('application')
          .limit(PAGE);
        const rows = await (afterRevision === 0
          ? query.whereNotNull('details')
          : query);
        yield rows.map(({ application, cluster, details, changed_at }) => ({
          application,
          cluster,
          ...(details !== null && { details }),
          ...(changed_at !== null && { changedAt: changed_at }),
        }));
        const last = rows.at(-1);
        if (!last || rows.length < PAGE) {
          return;
        }
        after = last.application;
        await yieldToEventLoop();
      }
    },

    async write(hub, source, round, answers) {
      const { revision, startedAt, late, findings } = round;
      const row = {
        revision,
        asked_at: startedAt,
        late: JSON.stringify(late),
        findings: JSON.stringify(findings),
      };
      await knex.transaction(async tx => {
        const written =
          revision === 1
            ? await tx(ROUNDS)
                .insert({ hub, source, ...row })
                .onConflict(['hub', 'source'])
                .ignore()
                .returning('revision')
            : await tx(ROUNDS)
                .where({ hub, source, revision: revision - 1 })
                .update(row)
                .returning('revision');
        if (written.length === 0) {
          throw new ConcurrentRoundError(
            `Another replica has stored a newer round of resource source ${source} for hub "${hub}": this answer is discarded`,
          );
        }
        for (let at = 0; at < answers.length; at += ROWS) {
          await tx(ANSWERS)
            .insert(
              answers.slice(at, at + ROWS).map(answer => ({
                hub,
                source,
                application: answer.application,
                cluster: answer.cluster,
                revision,
                changed_at: answer.changedAt ?? null,
                details: answer.details ?? null,
              })),
            )
            .onConflict(['hub', 'source', 'application'])
            .merge();
          await yieldToEventLoop();
        }
        await tx(ANSWERS)
          .where({ hub, source })
          .where('revision', '<', revision - REMEMBERED_ROUNDS)
          .whereNull('details')
          .delete();
      });
    },
  };
}
