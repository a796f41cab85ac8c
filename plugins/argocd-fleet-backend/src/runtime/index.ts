export {
  mapEventToKeys,
  objectOfKind,
  type Controller,
  type ControllerMode,
  type ReconcileContext,
  type ReconcileResult,
  type Watches,
} from './controller';
export {
  createControllerRunner,
  DEFAULT_CONCURRENCY,
  type ControllerRunner,
  type ControllerTiming,
} from './controllerRunner';
export type { ControllerTelemetry } from './controllerTelemetry';
export { MissingNamespaceError, type HubWriter } from './hubWriter';
export { REQUEST_GRACE_MS } from './runDeadline';
