import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** Things after which other work gets its turn. */
const PER_TURN = 500;

/** To be awaited with each of many things: from time to time it lets timers and sockets have their turn. */
export function createYield(): () => Promise<void> | undefined {
  let done = 0;
  return () => {
    done += 1;
    return done % PER_TURN === 0 ? yieldToOthers() : undefined;
  };
}
