import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** Milliseconds after which a pass lets timers and sockets have their turn. */
const TURN_MS = 4;
/** Keys after which it looks at the clock. */
const KEYS_PER_LOOK = 32;

/** One pass over every key. */
export interface FullPass {
  /** Resolves once each key has been worked on, or was found to need nothing. */
  readonly completed: Promise<void>;
  /** To be told of each key that has been worked on, or could not be looked at. */
  finished(key: string, looked: boolean): void;
}

/**
 * Queues the keys that need anything, in turns of a few milliseconds, and calls back once each has been worked on; not where one could
 * not be looked at, or the signal was aborted: that was no full pass.
 */
export function startFullPass(options: {
  readonly keys: Iterable<string>;
  /** Whether the key can be left alone. */
  readonly skip: (key: string) => boolean;
  readonly enqueue: (key: string) => void;
  readonly signal: AbortSignal;
  /** Called once all keys have been named. */
  readonly onNamed: () => void;
  readonly onCompleted: (queued: ReadonlySet<string>) => void;
}): FullPass {
  const { keys, skip, enqueue, signal, onNamed, onCompleted } = options;
  const queued = new Set<string>();
  const left = new Set<string>();
  let named = false;
  let full = true;
  let resolve = () => {};
  const worked = new Promise<void>(done => {
    resolve = done;
  });

  function checkCompleted() {
    if (named && left.size === 0) {
      if (full) {
        onCompleted(queued);
      }
      resolve();
    }
  }

  async function nameAll() {
    let turnEnds = performance.now() + TURN_MS;
    let count = 0;
    for (const key of keys) {
      if (!skip(key) && !queued.has(key)) {
        queued.add(key);
        left.add(key);
        enqueue(key);
      }
      count += 1;
      if (count % KEYS_PER_LOOK === 0 && performance.now() > turnEnds) {
        await yieldToOthers();
        if (signal.aborted) {
          return;
        }
        turnEnds = performance.now() + TURN_MS;
      }
    }
    named = true;
    onNamed();
    checkCompleted();
  }

  return {
    completed: nameAll().then(() => worked),
    finished(key, looked) {
      if (left.delete(key)) {
        full &&= looked;
        checkCompleted();
      }
    },
  };
}

/** Resolves after so many milliseconds, or once any of the signals is aborted. */
export function pause(
  ms: number | undefined,
  ...signals: AbortSignal[]
): Promise<void> {
  return new Promise<void>(resolve => {
    const signal = AbortSignal.any(signals);
    const timer =
      ms === undefined ? undefined : setTimeout(resolve, Math.max(0, ms));
    const stop = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) {
      stop();
    }
  });
}
