import { FleetLogger } from './logger';
import { isConflict, isNotFound } from '../kubernetes/apiError';
import { backoffMs } from './backoff';
import { Clock } from './clock';
import { nextTurn } from './turns';

/**
 * Reconciles the object of one key. The queue retries it until it does not
 * throw, and calls it again `ms` of simulated time after `requeueAfter(ms)`.
 */
export type Reconcile = (
  key: string,
  requeueAfter: (ms: number) => void,
) => Promise<void>;

/** A queue of keys to reconcile: each key is queued once and never reconciled twice at the same time. */
export interface ReconcileQueue {
  add(key: string): void;
  /** Adds the key after `ms` of simulated time; of several calls the earliest time wins. */
  addAfter(key: string, ms: number): void;
}

/** Creates a controller's queue. Order, concurrency and retries of all controllers are decided here. */
export function createReconcileQueue(options: {
  /** The controller's name, for its log lines. */
  name: string;
  reconcile: Reconcile;
  clock: Clock;
  logger: FleetLogger;
  signal: AbortSignal;
  /** Number of keys that are reconciled at the same time; 8 by default. */
  concurrency?: number;
  /** No key is reconciled before this resolves: before the first list, an object would look deleted. */
  startAfter?: Promise<void>;
}): ReconcileQueue {
  const { name, reconcile, clock, logger, signal, concurrency = 8 } = options;
  const queued = new Set<string>();
  const running = new Set<string>();
  const failures = new Map<string, number>();
  const timers = new Map<string, { at: number; cancel: () => void }>();
  let open = options.startAfter === undefined;
  void options.startAfter?.then(() => {
    open = true;
    next();
  });

  function later(key: string, ms: number) {
    const at = clock.ticks() + ms;
    const scheduled = timers.get(key);
    if (scheduled && scheduled.at <= at) {
      return;
    }
    scheduled?.cancel();
    const cancel = clock.after(ms, () => {
      timers.delete(key);
      add(key);
    });
    timers.set(key, { at, cancel });
  }

  async function run(key: string) {
    try {
      await nextTurn();
      await reconcile(key, ms => later(key, ms));
      failures.delete(key);
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      const count = (failures.get(key) ?? 0) + 1;
      failures.set(key, count);
      const delay = backoffMs(count);
      const message = `${name} failed for ${key}, retry in ${delay} ms: ${error}`;
      // Conflicts and deleted objects are ordinary: the watch delivers the change before the retry.
      if (isConflict(error) || isNotFound(error)) {
        logger.debug(message);
      } else {
        logger.warn(message);
      }
      later(key, delay);
    } finally {
      running.delete(key);
      next();
    }
  }

  function next() {
    for (const key of queued) {
      if (!open || running.size >= concurrency || signal.aborted) {
        return;
      }
      if (!running.has(key)) {
        queued.delete(key);
        running.add(key);
        void run(key);
      }
    }
  }

  function add(key: string) {
    queued.add(key);
    // Events often arrive in bursts: the microtask makes one pass of them.
    queueMicrotask(next);
  }

  return { add, addAfter: later };
}
