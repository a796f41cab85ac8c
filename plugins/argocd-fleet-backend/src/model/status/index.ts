// What is written to the hub Application's status, and what is recorded of it? `applicationStatus` plans the status,
// `applicationRecord` and `recordChange` the row and the transition in the database, `createHistoryGate` which changes
// become transitions.

export {
  applicationRecord,
  columnFingerprints,
  isDue,
  latestReport,
  recordChange,
  type ApplicationColumns,
  type KnownRecord,
  type RecordChange,
} from './applicationRecord';
export {
  createHistoryGate,
  HISTORY_LIMITS,
  RECORD_AGAIN_MS,
  type HistoryGate,
  type HistoryLimits,
  type HistoryPace,
  type MinuteCount,
} from './historyPace';
export { historyTexts } from './historyTexts';
export { applicationStatus, type StatusPlan } from './applicationStatus';
export { withoutOldSync } from './currentReport';
export { withSourcedDetails, type SourcedDetails } from './sourcedDetails';
export { readStatusMark } from './statusCondition';
