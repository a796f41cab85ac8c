export { createYield } from './createYield';
export { raceWithAbort } from './raceWithAbort';
export { sleepUntilAborted } from './sleepUntilAborted';
