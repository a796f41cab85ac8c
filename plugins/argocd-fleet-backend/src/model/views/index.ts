// What do the API and the pages show? `explain` computes the delivery steps of an Application, `clusterApplication` its
// row, `applicationSetView` and `applicationSetDetail` an ApplicationSet, the first one from a `summaryRow` for each
// Application. The inputs are made by fleet/fleetReader.ts.

export { applicationSetManifest } from './applicationSetManifest';
export {
  applicationSetDetail,
  applicationSetIdentity,
  applicationSetView,
  detailRow,
  placementNameOf,
  type DetailRow,
} from './applicationSetView';
export { clusterApplication } from './clusterApplication';
export { entityLinks } from './entityLinks';
export { reportedStateOf, type FleetApplication } from './fleetApplication';
export type { FleetApplicationSet } from './fleetApplicationSet';
export { placementManifest } from './placementManifest';
export { createStateSharing, summaryRow, type SummaryRow } from './summaryRow';
