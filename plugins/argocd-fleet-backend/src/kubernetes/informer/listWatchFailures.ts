import type { KubernetesError } from '../client';
import type { ReflectorTiming } from './reflectorTiming';

/** What failed lists and watches of one resource mean: the error to report, and the wait before the next attempt. */
export interface ListWatchFailures {
  /** The error to report; undefined while nothing fails, or only what a retry usually ends. */
  readonly error: KubernetesError | undefined;
  /**
   * An API server that did not answer at all does: what failed before has ended, but the next failure is reported at
   * once.
   */
  answersAgain(): void;
  listSucceeded(): void;
  watchProven(): void;
  /**
   * Milliseconds to wait before the next list.
   * @param synced - whether a list has been completed before
   */
  listFailed(error: KubernetesError, synced: boolean): number;
  /** Milliseconds to wait before the next watch, or before the full list that has to come first. */
  watchFailed(error: KubernetesError): {
    readonly waitMs: number;
    readonly relist: boolean;
  };
}

/** Creates the record of failures, with none in it. */
export function createListWatchFailures(
  timing: ReflectorTiming,
  optional: boolean,
): ListWatchFailures {
  /** In a row. A list that succeeds does not prove that watches do, so each has its own count and error. */
  let lists = 0;
  let watches = 0;
  let listError: KubernetesError | undefined;
  /** Stays until a watch is proven, however often lists succeed meanwhile. */
  let watchError: KubernetesError | undefined;

  return {
    get error() {
      return listError ?? watchError;
    },
    answersAgain() {
      listError = undefined;
      watchError = undefined;
    },
    listSucceeded() {
      lists = 0;
      listError = undefined;
    },
    watchProven() {
      watches = 0;
      watchError = undefined;
    },
    listFailed(error, synced) {
      lists += 1;
      // A list that takes longer than its continue token is valid starts again.
      const expected = error.kind === 'gone' || (isTransient(error) && synced);
      if (!expected || lists > 1) {
        listError = error;
      }
      if (isAbsent(error)) {
        return optional
          ? backoff(lists, timing.absentRetryMs, timing.relistMaxMs)
          : jittered(timing.absentRetryMs);
      }
      return backoff(lists, timing.backoffMinMs, timing.backoffMaxMs);
    },
    watchFailed(error) {
      watches += 1;
      const expired = error.kind === 'gone';
      // A watch that is dropped and restarted, or that has expired meanwhile, is no reason for a warning.
      const expected = expired
        ? watches <= 2
        : watches === 1 && isTransient(error);
      if (!expected) {
        watchError = error;
      }
      return {
        // Without a watch, objects may be deleted and created again; an API server that comes back may be another one.
        relist: expired || isAbsent(error) || watches > 1,
        waitMs:
          expired && expected
            ? Math.random() * timing.relistJitterMs
            : backoff(
                watches,
                isAbsent(error) ? timing.absentRetryMs : timing.backoffMinMs,
                timing.relistMaxMs,
              ),
      };
    },
  };
}

function isTransient({ kind }: KubernetesError): boolean {
  return kind === 'unavailable' || kind === 'throttled';
}

function isAbsent({ kind }: KubernetesError): boolean {
  return kind === 'notServed' || kind === 'forbidden';
}

function backoff(failures: number, minMs: number, maxMs: number): number {
  return jittered(Math.min(maxMs, minMs * 2 ** Math.min(failures - 1, 16)));
}

/** So that not all replicas send their requests at the same moment. */
function jittered(ms: number): number {
  return ms * (0.75 + Math.random() / 2);
}
