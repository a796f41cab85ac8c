export type {
  Controller,
  ControllerMode,
  ReconcileContext,
} from './controller';
export {
  createControllerRunner,
  DEFAULT_CONCURRENCY,
  REQUEST_GRACE_MS,
  type ControllerRunner,
  type ControllerTiming,
} from './controllerRunner';
export type { ControllerTelemetry } from './controllerTelemetry';
export { MissingNamespaceError, type HubWriter } from './hubWriter';
