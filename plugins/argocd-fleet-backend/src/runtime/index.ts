// What every controller shares. A controller (`controller.ts`) says what it watches and has `reconcile`; the runner
// (`controllerRunner.ts`) owns the run's deadline and claim, the workers, the full passes, retries and the status. When
// a failed key is retried is decided in `retryPolicy.ts` alone, and how often an object is written that another writer
// changes back in `rewriteDamper.ts`. Nothing here knows a particular controller.

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
export { createRewriteDamper, type RewriteDamper } from './rewriteDamper';
export { REQUEST_GRACE_MS } from './runDeadline';
export { undoneFinding } from './undoneFinding';
