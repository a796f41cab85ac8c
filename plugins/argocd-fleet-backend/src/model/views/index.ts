// What do the API and the pages show? `explain` computes the delivery steps of an Application, `clusterApplication` its
// details. An ApplicationSet in a list is an `applicationSetView`, made from a `summaryRow` for each Application; with a
// table of them it is made by `applicationSetRows`, from a `detailRow` for each. The inputs are made by
// fleet/fleetReader.ts.

export {
  applicationSetComponent,
  type ComponentPolicy,
} from './applicationSetComponent';
export { applicationSetManifest } from './applicationSetManifest';
export {
  applicationSetDetail,
  applicationSetIdentity,
  applicationSetRows,
  applicationSetView,
  detailRow,
  placementNameOf,
  placementNamesOf,
  type DetailRow,
} from './applicationSetView';
export { tableRow } from './applicationRow';
export {
  clusterFields,
  mappedFields,
  NO_CATALOG_MAPPING,
  parseFieldSource,
  type CatalogMapping,
} from './catalogFields';
export { clusterApplication } from './clusterApplication';
export { clusterFaults, mayReportFault } from './clusterFaults';
export { clusterProblems, type EndingWork } from './clusterProblems';
export {
  reportedStateOf,
  type FleetApplication,
  type FormerWork,
} from './fleetApplication';
export type {
  FleetApplicationSet,
  RemainingWorks,
} from './fleetApplicationSet';
export { modelCounts } from './modelCounts';
export { pastCluster } from './pastTimes';
export { createSharing, summaryRow, type SummaryRow } from './summaryRow';
