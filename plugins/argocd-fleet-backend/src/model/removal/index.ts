// When may a ManifestWork be deleted? `decideWork` is the main entry: from plain facts it decides whether a work stays,
// waits or goes. `brake` holds deletions that nobody ordered where they are too many, `releasePatch` prepares a work whose
// Application or workload is to stay, and `freezePatch` freezes the work of an Application that is no longer pull-model.
// Rules: docs/pull-model.md, "When a ManifestWork is deleted".

export { brake, WINDOW_MS, type Wish, type WorksLeft } from './brake';
export { freezePatch, isFrozenByOthers, isFrozenByUs } from './frozenWork';
export { heldFinding } from './heldFinding';
export {
  isReleased,
  ORDER_MS,
  releaseOf,
  releasePatch,
  releasing,
} from './release';
export { removalFinding } from './removalFinding';
export { REMOVAL_TIMES, type RemovalTimes } from './removalTimes';
export {
  apparentDecision,
  decideWork,
  endOfDelivery,
  type RemovalReason,
  type WorkDecision,
  type WorkFacts,
} from './workRemoval';
