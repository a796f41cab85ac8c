/**
 * An HTTP proxy that stands in front of a Kubernetes API server and makes it
 * fail on purpose.
 *
 * @packageDocumentation
 */
export { startHubFaults } from './startHubFaults';
export type {
  FaultHandle,
  HubFaults,
  HubFaultsOptions,
} from './startHubFaults';
export { FaultError } from './fault';
export type { Fault } from './fault';
export type { TargetSource } from './target';
