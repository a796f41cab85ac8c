export { raceWithAbort } from './raceWithAbort';
export { createYield } from './turns';
