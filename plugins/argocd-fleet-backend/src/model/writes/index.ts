// What may the portal write on a hub? `WriteGrant` is what the configuration allows in some namespaces;
// `applicationSetRefusal`, `ownerRefusal`, `placementRefusal` and `withinGrant` hold requests, and Placements of the hub, against it.
// `recordedOwner` says whose an object of the hub is. Who may
// write is not known here.

export {
  isOurs,
  isTracked,
  placementOwner,
  recordedOwner,
  recordsOwner,
  TRACKING_ANNOTATION,
} from './owners';
export { isSystemNamespace } from './systemNamespaces';
export {
  grantFor,
  applicationSetRefusal,
  ownerRefusal,
  placementRefusal,
  selectedPlacementRefusal,
  withinGrant,
  writtenRefusal,
  type HubWrites,
  type WriteGrant,
} from './writeGrants';
