import type { LoggerService } from '@backstage/backend-plugin-api';
import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import type {
  ResourceSource,
  ResourceSourceAnswer,
  ResourceSourceApplication,
} from 'backstage-plugin-argocd-fleet-node';
import {
  ConcurrentRoundError,
  REMEMBERED_ROUNDS,
  type AnswerStore,
  type StoredRound,
} from '../database';
import type { FleetCache } from '../fleet';
import type { SourcedDetails } from '../model/status';
import { createAnswerCache, type SourceState } from './answerCache';
import { findAnswerChanges } from './answerChanges';
import { updateLateAnswers } from './lateAnswers';
import { listQueriedApplications } from './queriedApplications';
import { querySource, type SourceRound } from './querySource';

/** What the resource sources know about the Applications of one hub. */
export interface ResourceSources {
  /** Whether there is any source. */
  readonly hasSources: boolean;
  /**
   * Queries every source, and stores what changed. Only one replica at a time may call it.
   * @throws Error where the database fails
   */
  collect(signal: AbortSignal): Promise<void>;
  /** Reads the answers that other replicas have stored. */
  refresh(): Promise<void>;
  /** The details of an Application; the same array until they change. */
  detailsOf(application: string): readonly SourcedDetails[] | undefined;
  findings(): readonly Finding[];
  /** Calls back with the keys of Applications whose details changed; with none if only findings changed. */
  onChange(listener: (applications: readonly string[]) => void): () => void;
}

/** Creates the sources of one hub. It queries and reads nothing until `collect` or `refresh` is called. */
export function createResourceSources(options: {
  readonly cache: FleetCache;
  readonly sources: readonly ResourceSource[];
  readonly store: AnswerStore;
  readonly logger: LoggerService;
  readonly onRound?: (round: SourceRound) => void;
}): ResourceSources {
  const { cache, sources, store, logger } = options;
  const { hub } = cache;
  const answerCache = createAnswerCache(sources.map(({ id }) => id));
  /**
   * Database work runs one after the other: a refresh while a round is being stored would take its answers for older
   * than they are. Queries to sources are not part of it: a source may take as long as it likes, and other work must
   * not wait for it.
   */
  let lastDatabaseWork: Promise<unknown> = Promise.resolve();

  function serialize<T>(work: () => Promise<T>): Promise<T> {
    const result = lastDatabaseWork.then(work);
    lastDatabaseWork = result.catch(() => undefined);
    return result;
  }

  /** Handles every source separately; the first failure is thrown once all are done. */
  async function forEachSource(
    work: (source: ResourceSource, state: SourceState) => Promise<void>,
  ) {
    const results = await Promise.allSettled(
      sources.map((source, index) => work(source, answerCache.states[index])),
    );
    for (const result of results) {
      if (result.status === 'rejected') {
        throw result.reason;
      }
    }
  }

  async function refreshSource(state: SourceState) {
    const last = state.round;
    const round = await store.readRound(hub, state.id);
    if (round.revision === last.revision) {
      return;
    }
    const canReadChanges =
      round.revision > last.revision &&
      round.revision - last.revision < REMEMBERED_ROUNDS;
    const after = canReadChanges ? last.revision : 0;
    const pages = store.readAnswers(hub, state.id, after);
    await answerCache.apply(state, round, pages, after === 0);
  }

  async function collectFrom(
    source: ResourceSource,
    state: SourceState,
    applications: readonly ResourceSourceApplication[],
    signal: AbortSignal,
  ) {
    const last = await serialize(async () => {
      await refreshSource(state);
      return state.round;
    });
    const startedAt = new Date().toISOString();
    const answer = await querySource(
      source,
      hub,
      applications,
      signal,
      options,
    );
    await serialize(async () => {
      signal.throwIfAborted();
      await storeRound(state, last, applications, startedAt, answer);
    });
  }

  /**
   * Stores an answer, and applies it to the cache.
   * @param last - the last round before the query. The store rejects the answer if there is a later round, even if this
   * replica has applied that one meanwhile: an answer to an older query may be outdated.
   */
  async function storeRound(
    state: SourceState,
    last: StoredRound,
    applications: readonly ResourceSourceApplication[],
    startedAt: string,
    answer: ResourceSourceAnswer,
  ) {
    const { answers, ...outcome } = await findAnswerChanges(
      state.answers,
      applications,
      answer.details,
      new Set(answer.incomplete),
      startedAt,
    );
    const round = {
      revision: last.revision + 1,
      startedAt,
      late: updateLateAnswers(last, outcome),
      findings: answer.findings ?? [],
    };
    await store.write(hub, state.id, round, answers);
    await answerCache.apply(state, round, [answers], false);
  }

  return {
    hasSources: sources.length > 0,
    async collect(signal) {
      // With only half of the Applications listed, a source's answers for the other half would be removed.
      if (
        cache.unsyncedReasons(['applications', 'works', 'clusters']).length > 0
      ) {
        return;
      }
      const applications = await listQueriedApplications(cache);
      await forEachSource((source, state) =>
        collectFrom(source, state, applications, signal).catch(error => {
          if (!(error instanceof ConcurrentRoundError)) {
            throw error;
          }
          logger.info(error.message);
        }),
      );
    },
    refresh: () => serialize(() => forEachSource((_, s) => refreshSource(s))),
    detailsOf: answerCache.get,
    findings: answerCache.findings,
    onChange: answerCache.onChange,
  };
}
