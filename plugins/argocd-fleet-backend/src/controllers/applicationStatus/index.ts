// Writes what the managed cluster reports into the status of the hub Application. Key: a hub Application. What the
// status is, is decided in model/status.

export { createApplicationStatus } from './applicationStatus';
