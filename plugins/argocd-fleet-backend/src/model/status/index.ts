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
