export { raceWithAbort } from './raceWithAbort';
export { sleepUntilAborted } from './sleepUntilAborted';
export { createYield, yieldToEventLoop } from './yield';
