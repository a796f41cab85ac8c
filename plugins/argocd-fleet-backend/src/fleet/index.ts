export {
  affectedApplicationSets,
  affectedApplications,
  hubApplicationKeys,
} from './affectedApplications';
export {
  createCompetingController,
  type CompetingController,
} from './competingController';
export { createFleetReader, isOwnedBy, type FleetReader } from './fleetReader';
export {
  clusterAccessChanged,
  clusterAvailabilityChanged,
  concernsPullModel,
  deliveryChanged,
  identityChanged,
  importDemandChanged,
  localClusterChanged,
  operationStarted,
  payloadChanged,
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
