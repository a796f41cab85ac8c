/** What is kept of the fleet in the plugin's own database. */
export {
  createFleetDatabase,
  fleetDatabaseOn,
  type FleetDatabase,
} from './fleetDatabase';
export type { CountedKind, FleetCounts, FleetFigures } from './fleetCounts';
export type { TimelineKind, Timelines } from './timelines';
export {
  TakenOverError,
  type FleetRecords,
  type NamedChange,
} from './fleetRecords';
