export {
  applicationSetsConcernedBy,
  applicationsTouchedBy,
} from './affectedApplications';
export { createRivalWriter, type RivalWriter } from './competingController';
export {
  createFleetReader,
  isOwnedBy,
  parseKey,
  type FleetReader,
} from './fleetReader';
export { createHubCache, type HubChange } from './hubCache';
export { decidedClusters, FLEET_INDEXES, type FleetCache } from './indexes';
export type { FurtherDetails } from './resourceDetails';
export {
  HUB_RESOURCES,
  resourceDefinition,
  type HubObject,
  type HubResourceName,
  type OnDemandName,
  type WatchedName,
} from './resources';
export { claimantsOf, claimantsOfWork } from './targetClaims';
