/**
 * The meaning of the pull model as pure functions: no I/O, no clock, and no input is ever changed.
 */
export * from './aggregateReport';
export * from './applicationSetFindings';
export * from './applicationSetManifest';
export * from './applicationSetView';
export * from './applicationState';
export * from './clusterApplication';
export * from './clusterState';
export * from './deliveryModel';
export * from './deliveryPlace';
export * from './digest';
export * from './digestExpression';
export * from './entityLinks';
export * from './explain';
export * from './feedback';
export * from './finalizers';
export * from './findings';
export * from './fleetApplication';
export * from './manifestConfigFields';
export * from './manifestWork';
export * from './manifestWorkPatch';
export { isRecord, sameJson, type MergePatch } from './mergePatch';
export { payloadNamespace } from './payloadApplication';
export * from './placementManifest';
export * from './propagation';
export * from './reportPatch';
export * from './summary';
export * from './workApplication';
export * from './workOwnership';
