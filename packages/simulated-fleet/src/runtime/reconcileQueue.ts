import { FleetLogger } from '../logger';
import { isConflict, isNotFound } from '../kubernetes/apiError';
import { backoffMs } from './backoff';
import { Clock } from './clock';
import { nextTurn } from './turns';

/**
 * Brings what one key names to where it should be; called again until it does
 * not throw, and after `ms` of simulated time when it asks for that.
 */
export type Reconcile = (
  key: string,
  requeueAfter: (ms: number) => void,
) => Promise<void>;

/** Keys that want reconciling: each once, never twice at the same time. */
export interface ReconcileQueue {
  add(key: string): void;
  /** Adds after `ms` of simulated time; the earliest of several wins. */
  addAfter(key: string, ms: number): void;
}

/** The one place that decides order, concurrency and retries of all controllers. */
export function createReconcileQueue(options: {
  /** The controller's name, for its log lines. */
  name: string;
  reconcile: Reconcile;
  clock: Clock;
  logger: FleetLogger;
  signal: AbortSignal;
  concurrency?: number;
  /** Nothing is reconciled before this: what is not listed yet must not be taken for gone. */
  opensAfter?: Promise<void>;
}): ReconcileQueue {
  const { name, reconcile, clock, logger, signal, concurrency = 8 } = options;
  const waiting = new Set<string>();
  const running = new Set<string>();
  const failures = new Map<string, number>();
  const timers = new Map<string, { at: number; cancel: () => void }>();
  let open = options.opensAfter === undefined;
  void options.opensAfter?.then(() => {
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
      const message = `${name} failed for ${key}, again in ${delay} ms: ${error}`;
      // Somebody wrote first, or the object went away meanwhile: the watch
      // brings the news, and the retry is ordinary business.
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
    for (const key of waiting) {
      if (!open || running.size >= concurrency || signal.aborted) {
        return;
      }
      if (!running.has(key)) {
        waiting.delete(key);
        running.add(key);
        void run(key);
      }
    }
  }

  function add(key: string) {
    waiting.add(key);
    // Changes often come in bursts: one pass for all of them.
    queueMicrotask(next);
  }

  return { add, addAfter: later };
}
