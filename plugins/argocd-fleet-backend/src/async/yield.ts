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
