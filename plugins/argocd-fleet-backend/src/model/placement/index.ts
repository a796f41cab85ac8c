// Which clusters does a Placement select, and what can a new one be made of? `placementOptions` is what a form offers,
// `placementManifest` what a choice writes, and `previewPlacement` the clusters that it selects now. The hub's own placement controller decides; `authorise`
// says whether a decision is one of its, and may be followed.

export {
  authorise,
  isDecisionOf,
  type Authorisation,
  type AuthorisationInputs,
  type Verdict,
} from './authorisation';
export { clusterSetsOf, isMember, matchesLabels } from './clusterSetMembers';
export { isLabelKey, isLabelValue, MAX_LABEL } from './labelSyntax';
export { placementManifest, selectionOf } from './placementManifest';
export {
  boundSetName,
  placementOptions,
  type PlacementInputs,
} from './placementOptions';
export { previewPlacement, selectClusters } from './placementPreview';
