import { setImmediate } from 'node:timers/promises';

/** Who waits for a turn of the event loop, in the order in which they came. */
const waiting: (() => void)[] = [];

async function resumeOneEachTurn() {
  while (waiting.length > 0) {
    await setImmediate();
    waiting.shift()?.();
  }
}

/**
 * Lets the timers and sockets of the process run before the caller goes on. One caller goes on in each turn of the event
 * loop: with all of them in the same turn, a turn would take as long as the work of all controllers, hubs and requests
 * together.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise(resolve => {
    waiting.push(resolve);
    if (waiting.length === 1) {
      void resumeOneEachTurn();
    }
  });
}

/** Milliseconds after which a long loop yields: requests and events wait for no longer, and a yield costs little. */
const BUSY_MS = 4;

/**
 * Creates a function to be awaited after each item of a long loop, or of several that run side by side: once they have
 * kept the process busy for `busyMs` milliseconds together, all of them wait for the same turn of the event loop;
 * otherwise it returns undefined. By time, not by number: anybody may make one item large.
 */
export function createYield(
  busyMs: number = BUSY_MS,
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
