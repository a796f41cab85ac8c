/** What a look at a key came to. */
export type WorkResult = 'unchanged' | 'written' | 'failed';

/** Receives what a controller does, for metrics and traces. */
export interface ControllerTelemetry {
  /** Wraps the look at one key. */
  span<T>(key: string, fn: () => Promise<T>): Promise<T>;
  worked(result: WorkResult, seconds: number): void;
  /** A write that the hub accepted. */
  wrote(verb: string, resource: string): void;
  /** @param reason - kind of a `HubError`, or `other` */
  retrying(reason: string): void;
  /** A full pass. */
  passed(seconds: number): void;
}

/** For where nobody asks. */
export const NO_TELEMETRY: ControllerTelemetry = {
  span: (_, fn) => fn(),
  worked() {},
  wrote() {},
  retrying() {},
  passed() {},
};
