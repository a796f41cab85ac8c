import { setImmediate } from 'node:timers/promises';

/** Lets the timers and sockets of the process run before the caller goes on. */
export const yieldToEventLoop = (): Promise<void> => setImmediate();

/**
 * Creates a function to be awaited for each item of a long loop: after every `items`-th it yields to the event loop,
 * otherwise it returns undefined.
 */
export function createYield(items = 500): () => Promise<void> | undefined {
  let done = 0;
  return () => {
    done += 1;
    return done % items === 0 ? yieldToEventLoop() : undefined;
  };
}

/**
 * Creates a function to be awaited after each item by loops that run side by side: once they have kept the process busy
 * for `busyMs` milliseconds together, all of them wait for the same turn of the event loop; otherwise it returns
 * undefined. Loops that yield each for themselves take as long between two turns as all of them together.
 */
export function createSharedYield(
  busyMs: number,
): () => Promise<void> | undefined {
  let resumedAt = performance.now();
  let yielding: Promise<void> | undefined;
  return () => {
    if (!yielding && performance.now() - resumedAt > busyMs) {
      yielding = yieldToEventLoop().then(() => {
        yielding = undefined;
        resumedAt = performance.now();
      });
    }
    return yielding;
  };
}
