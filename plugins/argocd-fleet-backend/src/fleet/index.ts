export {
  affectedApplicationSets,
  affectedApplications,
} from './affectedApplications';
export {
  createCompetingController,
  type CompetingController,
} from './competingController';
export { createFleetReader, isOwnedBy, type FleetReader } from './fleetReader';
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
