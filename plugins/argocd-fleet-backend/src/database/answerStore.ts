import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import type { Knex } from 'knex';
import { yieldToEventLoop } from '../async';

/** What a source said of one Application, as it is stored. */
export interface StoredAnswer {
  /** Key of the hub Application. */
  readonly application: string;
  readonly cluster: string;
  /** `ApplicationDetails` as JSON; undefined where the source knows nothing of it any more. */
  readonly details?: string;
  /** RFC 3339. When the source said this after having said something else. */
  readonly changedAt?: string;
}

/** Something of which a source said nothing. */
export interface LateAnswer {
  /** RFC 3339. When it last did. */
  readonly since: string;
  /** Rounds since then, up to now. */
  readonly missed: number;
}

/** How the last round of questions to a source went. */
export interface StoredRound {
  /** 0 before the first. */
  readonly revision: number;
  /** RFC 3339; undefined before the first. */
  readonly askedAt?: string;
  /**
   * Clusters about which the source could not say everything, by their names; and by their keys, Applications that it left out while it
   * said something of others of their cluster.
   */
  readonly late: Readonly<Record<string, LateAnswer>>;
  readonly findings: readonly Finding[];
}

/** The round before the first. */
export const NO_ROUND: StoredRound = { revision: 0, late: {}, findings: [] };

/** What sources said, in the plugin's database. */
export interface AnswerStore {
  /** The last round of a source; {@link NO_ROUND} if there was none. */
  readRound(hub: string, source: string): Promise<StoredRound>;
  /** What rounds after that one brought, in pages; with 0 everything, without what is gone. */
  readAnswers(
    hub: string,
    source: string,
    afterRevision: number,
  ): AsyncIterable<readonly StoredAnswer[]>;
  /**
   * Stores a round and what it brought, all or nothing.
   * @param round - its revision is one more than that of the round before
   * @throws OvertakenError where another replica has stored one of that revision
   */
  write(
    hub: string,
    source: string,
    round: StoredRound & { readonly askedAt: string },
    answers: readonly StoredAnswer[],
  ): Promise<void>;
}

/** Another replica has stored a round meanwhile. */
export class OvertakenError extends Error {
  readonly name = 'OvertakenError';
}

/**
 * What is gone is remembered for so many rounds. Whoever looked last before that has to read everything.
 */
export const REMEMBERED_ROUNDS = 1_000;

const ROUNDS = 'source_rounds';
const ANSWERS = 'source_answers';
/** Rows of one statement: SQLite takes a limited number of values, and nothing else happens in the process while it runs. */
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

/** Creates the store on a database that is up to date. */
export function createAnswerStore(knex: Knex): AnswerStore {
  return {
    async readRound(hub, source) {
      const row = await knex<RoundRow>(ROUNDS).where({ hub, source }).first();
      return row
        ? {
            revision: Number(row.revision),
            askedAt: row.asked_at,
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
      const { revision, askedAt, late, findings } = round;
      const row = {
        revision,
        asked_at: askedAt,
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
          throw new OvertakenError(
            `Another replica has asked ${source} about hub "${hub}" meanwhile: what this one was told is dropped`,
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
