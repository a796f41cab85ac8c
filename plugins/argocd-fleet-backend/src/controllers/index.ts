/** The controllers, and what runs them. */
export { createAggregation } from './aggregation';
export { applicationSetsConcernedBy } from './concernedBy';
export { createApplicationStatus } from './applicationStatus';
export { followArgoNamespaces } from './argoNamespaces';
export { createClusterImport } from './clusterImport';
export type { ControllerMode } from './controller';
export {
  createControllerRunner,
  DEFAULT_CONCURRENCY,
  REQUEST_GRACE_MS,
  type ControllerRunner,
  type ControllerTiming,
} from './controllerRunner';
export type { ControllerTelemetry } from './controllerTelemetry';
export { FLEET_INDEXES, type FleetCache } from './fleetIndexes';
export { createFleetReader, type FleetReader } from './fleetReader';
export { orAborted } from './orAborted';
export { createPropagation } from './propagation';
export {
  createResourceSync,
  type FurtherDetails,
  type StatusStage,
} from './resourceSync';
export { createWorkFields } from './workFields';
export * from './rivalWriter';
