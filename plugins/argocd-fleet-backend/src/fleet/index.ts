export {
  affectedApplicationSets,
  affectedApplications,
  hubApplicationKeys,
} from './affectedApplications';
export {
  createCompetingController,
  type CompetingController,
} from './competingController';
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
  createFleetReader,
  isOwnedBy,
  parseKey,
  type FleetReader,
} from './fleetReader';
export { createHubCache, type FleetEvent } from './hubCache';
export { decidedClusters, FLEET_INDEXES, type FleetCache } from './indexes';
export type { ResourceDetails } from './resourceDetails';
export {
  FLEET_RESOURCES,
  resourceDefinition,
  type FleetObject,
  type FleetResource,
  type NamespacedResource,
  type ClusterWideResource,
} from './resources';
export {
  applicationsWithSameTarget,
  applicationsWithTargetOf,
} from './targetClaims';
