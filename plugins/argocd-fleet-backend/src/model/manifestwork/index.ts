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
