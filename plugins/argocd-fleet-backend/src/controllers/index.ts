/** The controllers, and what runs them. */
export { applicationSetsConcernedBy, createAggregation } from './aggregation';
export type { ControllerMode } from './controller';
export {
  createControllerRunner,
  REQUEST_GRACE_MS,
  type ControllerRunner,
  type ControllerTiming,
} from './controllerRunner';
export { FLEET_INDEXES, type FleetCache } from './fleetIndexes';
export { createFleetReader, type FleetReader } from './fleetReader';
export { createPropagation } from './propagation';
export { createWorkFields } from './workFields';
