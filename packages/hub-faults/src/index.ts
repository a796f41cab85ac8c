/**
 * An HTTP proxy that injects faults in front of a Kubernetes API server.
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
