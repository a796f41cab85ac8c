/** Simulated time. All delays of the fleet pass through one clock, so that they have one speed. */
export interface Clock {
  /** The real date and time. */
  now(): Date;
  /** Milliseconds of simulated time since the clock was created. */
  ticks(): number;
  /** Milliseconds of simulated time since a date; negative for a date in the future. */
  since(date: Date): number;
  /** Runs `task` after `ms` milliseconds of simulated time; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
  /** Cancels all pending tasks. */
  stop(): void;
}

/**
 * Creates a clock whose delays pass `speed` times as fast. Dates stay real,
 * because the hub and its other clients compare them with their own clocks.
 */
export function createClock(speed = 1): Clock {
  const started = performance.now();
  const pending = new Set<NodeJS.Timeout>();
  return {
    now: () => new Date(),
    ticks: () => (performance.now() - started) * speed,
    since: date => (Date.now() - date.getTime()) * speed,
    after(ms, task) {
      const timer = setTimeout(
        () => {
          pending.delete(timer);
          task();
        },
        Math.ceil(ms / speed),
      );
      pending.add(timer);
      return () => {
        clearTimeout(timer);
        pending.delete(timer);
      };
    },
    stop() {
      pending.forEach(clearTimeout);
      pending.clear();
    },
  };
}
