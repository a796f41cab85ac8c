import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/**
 * Creates a function to be awaited for each item of a long loop: after every `items`-th it lets the timers and sockets of the process run.
 * Otherwise it returns undefined.
 */
export function createYield(items = 500): () => Promise<void> | undefined {
  let done = 0;
  return () => {
    done += 1;
    return done % items === 0 ? yieldToEventLoop() : undefined;
  };
}
