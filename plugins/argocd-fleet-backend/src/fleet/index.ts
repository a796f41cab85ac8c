// The hub's resources as the pull model reads them: which resources (`resources.ts`), what the cache stores of them
// (`transforms/`), by which indexes they are found (`indexes.ts`), which events matter (`eventPredicates.ts`), and the
// reader that puts an Application or ApplicationSet together (`fleetReader.ts`). `createFleetCache` is the main entry.

export {
  affectedApplicationSets,
  affectedApplications,
  applicationsOf,
  applicationsShownOtherwise,
  hubApplicationKeys,
} from './affectedApplications';
export {
  AUTHORISING_RESOURCES,
  authorisationOf,
  isAuthorisationKnown,
  isAuthorisationPending,
  reauthorised,
  sameOrigin,
} from './authorisations';
export {
  createAuthorisationWaiters,
  type AuthorisationWaiters,
} from './authorisationWaiters';
export {
  createCompetingController,
  type CompetingController,
} from './competingController';
export {
  createApplicationSetRows,
  type ApplicationSetRows,
} from './applicationSetRows';
export { orWithoutContent } from './orWithoutContent';
export { createFleetReader, isOwnedBy, type FleetReader } from './fleetReader';
export {
  clusterAccessChanged,
  clusterDescriptionChanged,
  clusterPresenceChanged,
  concernsPullModel,
  deliveryChanged,
  identityChanged,
  importDemandChanged,
  localClusterChanged,
  operationStarted,
  payloadChanged,
  placeChanged,
  redecidedClusters,
  stalenessChanged,
  type EventOf,
} from './eventPredicates';
export {
  createFleetCache,
  type FleetCache,
  type FleetEvent,
} from './fleetCache';
export { decidedClusters } from './indexes';
export {
  applicationsOfChangedAgents,
  applicationsOn,
  changedAgents,
  knownAgents,
} from './knownAgents';
export {
  createClaimsRegistry,
  createSharedClusters,
  type ClaimsRegistry,
  type SharedClusters,
} from './sharedClusters';
export { endingWorks } from './remainingWorks';
export type { ResourceDetails } from './resourceDetails';
export {
  FLEET_RESOURCES,
  resourceDefinition,
  type FleetObject,
  type FleetResource,
  type StoredObject,
  type NamespacedResource,
  type ClusterWideResource,
} from './resources';
export {
  applicationsWithSameTarget,
  applicationsWithTargetOf,
} from './targetClaims';
export { createDeliveredApplications } from './deliveredApplications';
export { hasDropped, stillMakes } from './stillMakes';
export { createRemovalState, type RemovalState } from './removalState';
export { worksOfOwner } from './worksOfOwner';
