// Which ManifestWork does an Application need, and what has to be written? `planManifestWork` is the main entry: it
// decides and builds the work. `withObserved` adds objects to observe, `oneShotFields` an operation or a refresh, and
// `manifestWorkPatch` makes the smallest patch from the work on the hub to the planned one.
// Rules: docs/pull-model.md, "What travels once", "What may come along" and "Beside RHACM".

export {
  carriesSpec,
  fingerprint,
  isComparisonWith,
  specFingerprint,
  desiredSpec,
  type ComparedSpec,
} from './comparedSpec';
export {
  fieldsNotDefined,
  fieldsNotStored,
  NEWER_FIELDS,
  withoutFields,
  type NewerField,
} from './newerFields';
export { manifestWorkPatch } from './manifestWorkPatch';
export { sameToObserve, withObserved } from './observedObjects';
export {
  hasOneShotFields,
  readOneShotMark,
  oneShotFieldsRemoved,
  oneShotFields,
  withOneShotFields,
  type OneShotFields,
} from './oneShotFields';
export {
  DEFAULT_PROPAGATION,
  planManifestWork,
  type PropagationOptions,
  type WorkPlan,
} from './workPlan';
