// What is written to the hub Application's status, and what is recorded of it? `applicationStatus` plans the status,
// `applicationRecord` and `recordChange` the row and the transition in the database.

export {
  applicationRecord,
  columnFingerprints,
  latestReport,
  recordChange,
  type ApplicationColumns,
  type KnownRecord,
  type RecordChange,
} from './applicationRecord';
export { applicationStatus, type StatusPlan } from './applicationStatus';
export { withSourcedDetails, type SourcedDetails } from './sourcedDetails';
