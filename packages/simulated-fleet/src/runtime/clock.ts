/** Time as the simulation sees it; one speed for everything that waits. */
export interface Clock {
  now(): Date;
  /** Milliseconds of simulated time since the clock was made. */
  ticks(): number;
  /** Milliseconds of simulated time from a date until now, negative for a date to come. */
  since(date: Date): number;
  /** Runs `task` after `ms` of simulated time; the returned function calls it off. */
  after(ms: number, task: () => void): () => void;
  /** Calls off everything that still waits. */
  stop(): void;
}

/**
 * A clock whose delays pass `speed` times as fast. Dates stay real ones, since
 * the hub and everybody else on it compare them with their own.
 */
export function createClock(speed = 1): Clock {
  const started = performance.now();
  const waiting = new Set<NodeJS.Timeout>();
  return {
    now: () => new Date(),
    ticks: () => (performance.now() - started) * speed,
    since: date => (Date.now() - date.getTime()) * speed,
    after(ms, task) {
      const timer = setTimeout(
        () => {
          waiting.delete(timer);
          task();
        },
        Math.ceil(ms / speed),
      );
      waiting.add(timer);
      return () => {
        clearTimeout(timer);
        waiting.delete(timer);
      };
    },
    stop() {
      waiting.forEach(clearTimeout);
      waiting.clear();
    },
  };
}
