/** The fleet's logger; `console` and Backstage's logger service both implement it. */
export interface FleetLogger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** A logger that drops every message; the default of the library. */
export const silentLogger: FleetLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
