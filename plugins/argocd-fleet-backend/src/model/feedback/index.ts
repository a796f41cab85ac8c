// What does a managed cluster report about its Application? The work agent writes feedback values and the digest into
// the status of the ManifestWork. `readFeedback` is the main entry: it turns that status into an `ApplicationState`;
// `readApplicationStatus` does the same for the push and agent models. `digestExpression` makes a digest's CEL.
// Rules: docs/pull-model.md, "What a cluster reports"; the format of the digest: docs/digest.md.

export { isApplied } from './appliedCondition';
export {
  comparedToOf,
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
  readTrouble,
  reportedGeneration,
  type ReportedStatus,
} from './feedback';
export { FEEDBACK_PATHS, READY_CONDITION } from './feedbackRules';
export { isDigest, shownDigest } from './shownDigest';
export {
  PROMOTED_EXPRESSION,
  ROLLOUT_CONDITION,
  ROLLOUT_EXPRESSION,
} from './rolloutExpression';
export { hasLegalNames } from './resourceNames';
export {
  applicationCondition,
  digestLines,
  type ManifestStatus,
  type StoredCondition,
} from './workStatus';
