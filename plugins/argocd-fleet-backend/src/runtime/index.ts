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
  REQUEST_GRACE_MS,
  type ControllerRunner,
  type ControllerTiming,
} from './controllerRunner';
export type { ControllerTelemetry } from './controllerTelemetry';
export { MissingNamespaceError, type HubWriter } from './hubWriter';
