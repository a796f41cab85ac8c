export { orAborted } from './raceWithAbort';
export { createTurns } from './turns';
