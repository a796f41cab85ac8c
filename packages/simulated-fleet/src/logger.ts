/** Where the fleet says what it does; `console` and Backstage's logger service both fit. */
export interface FleetLogger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** A logger that says nothing, the default of the library. */
export const silentLogger: FleetLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
