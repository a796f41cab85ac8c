// The few asynchronous helpers that all rooms share: a wait that a signal ends, and a yield to the event loop.

export { raceWithAbort } from './raceWithAbort';
export { sleepUntilAborted } from './sleepUntilAborted';
export { createYield, yieldToEventLoop } from './yield';
export { steadyNow } from './steadyClock';
