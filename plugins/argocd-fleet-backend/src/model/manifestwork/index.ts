// Which ManifestWork does an Application need, and what has to be written? `planManifestWork` is the main entry: it
// decides and builds the work. `withObserved` adds objects to observe, `oneShotFields` an operation or a refresh, and
// `manifestWorkPatch` makes the smallest patch from the work on the hub to the planned one.
// Rules: docs/pull-model.md, "One-shot fields", "Companion manifests" and "Beside RHACM".

export { mayUseNamespace } from './appNamespaces';
export { sharedClusterFindings, type HubClaims } from './sharedClusters';
export {
  carriesSpec,
  fingerprint,
  isComparisonWith,
  isHydrationOf,
  desiredSpec,
  wantedSources,
  type ComparedSpec,
} from './comparedSpec';
export { deleteOptionBeforeRelease } from './deleteOptionBeforeRelease';
export { differsOnlyInExpressions } from './expressions';
export {
  fieldsNotDefined,
  fieldsNotStored,
  NEWER_FIELDS,
  withoutFields,
  type NewerField,
} from './newerFields';
export { manifestWorkPatch } from './manifestWorkPatch';
export {
  sameObservableResources,
  withObservedObjects,
} from './observedObjects';
export {
  droppedOperation,
  keepsOperation,
  oneShotFields,
} from './oneShotFields';
export {
  hasOneShotFields,
  oneShotFieldsRemoved,
  readOneShotMark,
  withOneShotFields,
  type OneShotFields,
} from './oneShotFieldsOfWork';
export { createWorkBuilder } from './workBuilder';
export {
  DEFAULT_PROPAGATION,
  planManifestWork,
  type DeliveryFacts,
  type PropagationOptions,
  type WorkPlan,
} from './workPlan';
