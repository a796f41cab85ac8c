/**
 * A Kubernetes API server in one Node process, for demonstrations and tests.
 *
 * @packageDocumentation
 */
export { startEmbeddedHub } from './hub';
export type { EmbeddedHub, EmbeddedHubOptions, HubLogger } from './hub';
export type { HubUser } from './authorization/hubUser';
export type { RequestLogEntry } from './http/requestLog';
export { writeSnapshot } from './snapshot/writeSnapshot';
export type {
  SavedSnapshot,
  SnapshotObject,
  SnapshotSource,
} from './snapshot/snapshotObject';
