/** The outcome of one reconcile. */
export type WorkResult = 'unchanged' | 'written' | 'failed';

/** Receives the events of a controller, for metrics and traces. */
export interface ControllerTelemetry {
  /** Wraps the reconcile of one key. */
  span<T>(key: string, fn: () => Promise<T>): Promise<T>;
  worked(result: WorkResult, seconds: number): void;
  /** A write that the hub accepted. */
  wrote(verb: string, resource: string): void;
  /** @param reason - kind of a `KubernetesError`, or `other` */
  retrying(reason: string): void;
  /** A completed full pass. */
  passed(seconds: number): void;
}

/** For tests and where no metrics are collected. */
export const NO_TELEMETRY: ControllerTelemetry = {
  span: (_, fn) => fn(),
  worked() {},
  wrote() {},
  retrying() {},
  passed() {},
};
