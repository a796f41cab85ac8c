/**
 * The fleet model in the plugin's database (SQLite or PostgreSQL): records, timelines, counts and the answers of
 * resource sources. Main entry: `createFleetDatabase`. Every write runs in short statements, so that SQLite does not
 * block the process. This room does not decide what a change is (model/status does), and does not know controllers,
 * hubs or the API.
 */
export {
  NO_ROUND,
  ConcurrentRoundError,
  REMEMBERED_ROUNDS,
  type AnswerStore,
  type LateAnswer,
  type StoredAnswer,
  type StoredRound,
} from './answerStore';
export type { CountedKind, FleetCounts, FleetFigures } from './fleetCounts';
export { createFleetDatabase, type FleetDatabase } from './fleetDatabase';
export {
  TakenOverError,
  type FleetRecords,
  type NamedChange,
} from './fleetRecords';
export {
  createMemoryImportAccountStore,
  type ImportAccounts,
  type ImportAccountStore,
} from './importAccountStore';
export { inDatabase } from './inDatabase';
export {
  createMemoryRemovalStore,
  type KnownApplicationSet,
  type RemovalStore,
  type StoredOrder,
} from './removalStore';
export type { TimelineKind, Timelines, TransitionSet } from './timelines';
