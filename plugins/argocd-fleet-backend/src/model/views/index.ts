export { applicationSetManifest } from './applicationSetManifest';
export {
  applicationSetDetail,
  applicationSetView,
  placementNameOf,
} from './applicationSetView';
export { clusterApplication } from './clusterApplication';
export { entityLinks } from './entityLinks';
export { reportedStateOf, type FleetApplication } from './fleetApplication';
export type { FleetApplicationSet } from './fleetApplicationSet';
export { placementManifest } from './placementManifest';
