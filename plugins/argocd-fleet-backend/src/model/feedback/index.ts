export {
  errorConditions,
  readApplicationStatus,
  UNREPORTED,
  type ApplicationState,
  type ReportedState,
} from './applicationState';
export type { ComparedTo } from './digest';
export {
  DIGEST_LENGTH,
  digestExpression,
  READY_EXPRESSION,
} from './digestExpression';
export {
  createResourceReader,
  resourcesOfGroup,
  type ResourceReader,
} from './digestResources';
export { ERROR_PATHS } from './errorFeedback';
export {
  operationStartOf,
  readFeedback,
  readReportedState,
  readReportedStatus,
  reportedGeneration,
  type ReportedStatus,
} from './feedback';
export { FEEDBACK_PATHS, READY_CONDITION } from './feedbackRules';
export {
  PROMOTED_EXPRESSION,
  ROLLOUT_CONDITION,
  ROLLOUT_EXPRESSION,
} from './rolloutExpression';
export {
  readyLines,
  type ManifestStatus,
  type StoredCondition,
} from './workStatus';
