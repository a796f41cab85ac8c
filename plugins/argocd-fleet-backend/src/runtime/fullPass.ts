import { yieldToEventLoop } from '../async';

/** Milliseconds after which a pass yields to the event loop. */
const YIELD_AFTER_MS = 4;
/** Keys between two readings of the clock. */
const KEYS_PER_CLOCK_READ = 32;

/** One pass over every key. */
export interface FullPass {
  /** Milliseconds for which listing the keys has kept the event loop busy until now. */
  readonly busyMs: number;
  /** Resolves once each key has been skipped or taken from the queue. */
  readonly completed: Promise<void>;
  /** Must be called for each key that was taken from the queue, whether it could be reconciled or not. */
  finished(key: string, isReconciled: boolean): void;
}

/**
 * Enqueues the keys that cannot be skipped, in slices of a few milliseconds, and calls back once each has been
 * reconciled. It does not call back where a key could not be reconciled, or the signal was aborted: that was no full
 * pass.
 */
export function startFullPass(options: {
  readonly keys: Iterable<string>;
  /** Whether the key needs no reconcile. */
  readonly skip: (key: string) => boolean;
  readonly enqueue: (key: string) => void;
  readonly signal: AbortSignal;
  /** Called once all keys have been listed. */
  readonly onListed: () => void;
  readonly onCompleted: (queued: ReadonlySet<string>) => void;
}): FullPass {
  const { keys, skip, enqueue, signal, onListed, onCompleted } = options;
  const queued = new Set<string>();
  const left = new Set<string>();
  let listed = false;
  let full = true;
  let busyMs = 0;
  let resolve = () => {};
  const allFinished = new Promise<void>(done => {
    resolve = done;
  });

  function checkCompleted() {
    if (listed && left.size === 0) {
      if (full) {
        onCompleted(queued);
      }
      resolve();
    }
  }

  async function listAllKeys() {
    let sliceStart = performance.now();
    let count = 0;
    for (const key of keys) {
      if (!skip(key) && !queued.has(key)) {
        queued.add(key);
        left.add(key);
        enqueue(key);
      }
      count += 1;
      if (count % KEYS_PER_CLOCK_READ === 0) {
        const now = performance.now();
        if (now > sliceStart + YIELD_AFTER_MS) {
          busyMs += now - sliceStart;
          await yieldToEventLoop();
          if (signal.aborted) {
            return;
          }
          sliceStart = performance.now();
        }
      }
    }
    busyMs += performance.now() - sliceStart;
    listed = true;
    onListed();
    checkCompleted();
  }

  return {
    get busyMs() {
      return busyMs;
    },
    completed: listAllKeys().then(() => allFinished),
    finished(key, isReconciled) {
      if (left.delete(key)) {
        full &&= isReconciled;
        checkCompleted();
      }
    },
  };
}
