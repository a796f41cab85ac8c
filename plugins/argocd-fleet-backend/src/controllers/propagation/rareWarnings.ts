import type { LoggerService } from '@backstage/backend-plugin-api';

/** Milliseconds in which a warning that repeats is logged once. */
const QUIET_MS = 60_000;

/**
 * Creates a function that logs a warning where the same kind of warning has not been logged for a minute, otherwise at
 * debug: while the database fails, each attempt of each work would be a line.
 */
export function createRareWarnings(
  logger: Pick<LoggerService, 'warn' | 'debug'>,
): (kind: string, details: string) => void {
  /** By kind: milliseconds of the monotonic clock. */
  const warnedAt = new Map<string, number>();
  return (kind, details) => {
    const now = performance.now();
    const last = warnedAt.get(kind);
    const message = `${kind}: ${details}`;
    if (last !== undefined && now - last < QUIET_MS) {
      logger.debug(message);
      return;
    }
    warnedAt.set(kind, now);
    logger.warn(message);
  };
}
