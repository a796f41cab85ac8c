/** Decides when a changed report is written. All times are milliseconds. */
export interface ReportPacing {
  /** To be called for each change that may change the report. */
  changed(key: string): void;
  /** Milliseconds until the report may be written; 0 if it may be written now. */
  waitOf(key: string): number;
  /** To be called once the report was compared and needs no write. */
  unchanged(key: string): void;
  /** @param tookMs - for making and writing the report */
  wrote(key: string, tookMs: number): void;
  forget(key: string): void;
}

/** The shortest and the longest time from one write of a report to the next while it changes all the time. */
const SHORTEST_INTERVAL_MS = 1_000;
const LONGEST_INTERVAL_MS = 30_000;
/** A report that took so long to make and to write waits this many times as long for its next write. */
const INTERVAL_PER_WRITE_TIME = 20;
/**
 * A report that has not changed for so long is written before its interval ends, so that the last state is never more
 * than two seconds behind.
 */
const SHORTEST_QUIET_MS = 500;
const LONGEST_QUIET_MS = 1_500;

interface Pace {
  /** When it changed last. */
  changedAt: number;
  /** When it changed first since the last comparison; undefined if it has not. */
  pendingSince: number | undefined;
  writtenAt: number;
  intervalMs: number;
}

/**
 * A report is written whole, and each of its clusters changes it. So the first change of a quiet report is written at
 * once; one that keeps changing is written at intervals, longer ones if the hub is slow or the report is large, and
 * when it stops changing. While other controllers have writes to make, which deliver and report single Applications, it
 * waits for its longest interval or until it stops changing.
 * @param hasUrgentWrites - whether other controllers have writes to make on this hub
 */
export function createReportPacing(
  hasUrgentWrites: () => boolean,
): ReportPacing {
  const paces = new Map<string, Pace>();

  function paceOf(key: string): Pace {
    let pace = paces.get(key);
    if (!pace) {
      pace = {
        changedAt: -Infinity,
        pendingSince: undefined,
        writtenAt: -Infinity,
        intervalMs: SHORTEST_INTERVAL_MS,
      };
      paces.set(key, pace);
    }
    return pace;
  }

  return {
    changed(key) {
      const pace = paceOf(key);
      pace.changedAt = performance.now();
      pace.pendingSince ??= pace.changedAt;
    },
    waitOf(key) {
      const pace = paces.get(key);
      if (!pace) {
        return 0;
      }
      const { changedAt, pendingSince = -Infinity, writtenAt } = pace;
      const urgent = hasUrgentWrites();
      const dueAt = urgent
        ? Math.max(pendingSince, writtenAt) + LONGEST_INTERVAL_MS
        : writtenAt + pace.intervalMs;
      const quietMs = urgent
        ? LONGEST_QUIET_MS
        : clamp(pace.intervalMs / 2, SHORTEST_QUIET_MS, LONGEST_QUIET_MS);
      const quietAt = Math.max(
        changedAt + quietMs,
        writtenAt + SHORTEST_INTERVAL_MS,
      );
      return Math.max(0, Math.min(dueAt, quietAt) - performance.now());
    },
    unchanged(key) {
      const pace = paces.get(key);
      if (pace) {
        pace.pendingSince = undefined;
      }
    },
    wrote(key, tookMs) {
      const pace = paceOf(key);
      pace.pendingSince = undefined;
      pace.writtenAt = performance.now();
      pace.intervalMs = clamp(
        tookMs * INTERVAL_PER_WRITE_TIME,
        SHORTEST_INTERVAL_MS,
        LONGEST_INTERVAL_MS,
      );
    },
    forget: key => void paces.delete(key),
  };
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
