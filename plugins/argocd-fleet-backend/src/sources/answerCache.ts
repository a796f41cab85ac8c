import { hash } from 'node:crypto';
import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import type { ApplicationDetails } from 'backstage-plugin-argocd-fleet-node';
import { createYield, yieldToEventLoop } from '../async';
import { NO_ROUND, type StoredAnswer, type StoredRound } from '../database';
import { createStructurePool } from '../kubernetes/informer';
import type { SourcedDetails } from '../model/status';
import { lateSince, stalenessChanged } from './lateAnswers';

/** A source's answer for one Application. */
export interface CachedAnswer {
  readonly cluster: string;
  readonly details: ApplicationDetails;
  readonly fingerprint: string;
  readonly changedAt?: string;
}

/** The last round of one source that this replica knows, and the answers up to it. */
export interface SourceState {
  readonly id: string;
  readonly round: StoredRound;
  /** By the key of the hub Application. */
  readonly answers: ReadonlyMap<string, CachedAnswer>;
}

/** Keeps the answers of all sources about one hub in memory, and notifies listeners of changes. */
export interface AnswerCache {
  /** One for each source, in the order of their ids. */
  readonly states: readonly SourceState[];
  /**
   * Applies a round that the database has, with its answers.
   * @param isComplete - whether the pages hold every answer; then all others are removed
   */
  apply(
    state: SourceState,
    round: StoredRound,
    pages:
      | Iterable<readonly StoredAnswer[]>
      | AsyncIterable<readonly StoredAnswer[]>,
    isComplete: boolean,
  ): Promise<void>;
  /** The details of an Application; the same array until they change. */
  get(application: string): readonly SourcedDetails[] | undefined;
  findings(): readonly Finding[];
  /** Calls back with the keys of Applications whose details changed; with none if only findings changed. */
  onChange(listener: (applications: readonly string[]) => void): () => void;
}

/** Keys that listeners get at once, before a yield: each of them is reconciled again. */
const KEYS_PER_YIELD = 500;

interface MutableState extends SourceState {
  round: StoredRound;
  readonly answers: Map<string, CachedAnswer>;
}

/** Creates the empty cache. */
export function createAnswerCache(sourceIds: readonly string[]): AnswerCache {
  const listeners = new Set<(applications: readonly string[]) => void>();
  const pool = createStructurePool();
  const details = new Map<string, readonly SourcedDetails[]>();
  const states = sourceIds.map((id): MutableState => ({
    id,
    round: NO_ROUND,
    answers: new Map(),
  }));

  function notify(keys: readonly string[]) {
    listeners.forEach(listener => listener(keys));
  }

  function updateDetails(key: string) {
    const sourced = sourcedDetails(states, key);
    if (sourced.length > 0) {
      details.set(key, sourced);
    } else {
      details.delete(key);
    }
  }

  /** Updates the answers of one source; returns the keys of the changed ones. */
  async function updateAnswers(
    answers: Map<string, CachedAnswer>,
    pages: Parameters<AnswerCache['apply']>[2],
    isComplete: boolean,
  ): Promise<Set<string>> {
    const gone = new Set(isComplete ? answers.keys() : []);
    const changed = new Set<string>();
    const yieldSometimes = createYield();
    for await (const page of pages) {
      for (const answer of page) {
        await yieldSometimes();
        const { application, cluster, changedAt } = answer;
        changed.add(application);
        gone.delete(application);
        if (answer.details === undefined) {
          answers.delete(application);
        } else {
          answers.set(application, {
            cluster,
            details: pool.share(JSON.parse(answer.details)),
            fingerprint: fingerprintOf(answer.details),
            ...(changedAt && { changedAt }),
          });
        }
      }
    }
    for (const key of gone) {
      answers.delete(key);
      changed.add(key);
    }
    return changed;
  }

  return {
    states,
    async apply({ id }, round, pages, isComplete) {
      const state = states.find(each => each.id === id)!;
      const { round: last, answers } = state;
      const changed = await updateAnswers(answers, pages, isComplete);
      state.round = round;
      for (const key of keysOf(answers, stalenessChanged(last, round))) {
        changed.add(key);
      }
      let keys: string[] = [];
      for (const key of changed) {
        updateDetails(key);
        keys.push(key);
        if (keys.length === KEYS_PER_YIELD) {
          notify(keys);
          keys = [];
          await yieldToEventLoop();
        }
      }
      const findingsChanged =
        JSON.stringify(last.findings) !== JSON.stringify(round.findings);
      if (keys.length > 0 || findingsChanged) {
        notify(keys);
      }
    },
    get: application => details.get(application),
    findings: () => states.flatMap(({ round }) => round.findings),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function sourcedDetails(
  states: readonly SourceState[],
  key: string,
): readonly SourcedDetails[] {
  return states.flatMap(({ id, round, answers }) => {
    const answer = answers.get(key);
    if (!answer) {
      return [];
    }
    const { cluster, details, changedAt } = answer;
    const lastSaidAt = lateSince(round, key, cluster);
    return [
      {
        source: id,
        details,
        ...(changedAt && { changedAt }),
        ...(lastSaidAt && { lastSaidAt }),
      },
    ];
  });
}

/** The Applications that are named, and those of the clusters that are named. */
function* keysOf(
  answers: ReadonlyMap<string, CachedAnswer>,
  names: ReadonlySet<string>,
): Generator<string> {
  if (names.size > 0) {
    for (const [key, { cluster }] of answers) {
      if (names.has(key) || names.has(cluster)) {
        yield key;
      }
    }
  }
}

/** Identifies details without keeping their text. */
export function fingerprintOf(text: string): string {
  return hash('sha1', text, 'base64');
}
