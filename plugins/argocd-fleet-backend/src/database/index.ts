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
export type { TimelineKind, Timelines } from './timelines';
