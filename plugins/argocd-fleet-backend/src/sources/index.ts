/**
 * Resource sources: details of Applications that come from elsewhere than the hub's API server, for example from
 * RHACM's Search. Main entry: `createResourceSources`. One replica queries the sources; all replicas read the answers
 * from the database. This room does not decide which source's details are shown (model/status does), and writes nothing
 * to hubs.
 */
export type { SourceRound } from './querySource';
export { createResourceSources, type ResourceSources } from './resourceSources';
