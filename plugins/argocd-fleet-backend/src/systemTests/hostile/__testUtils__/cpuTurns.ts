import { IN_LONG_RUN } from '../../../__testUtils__/randomCases';

/** Milliseconds between two looks at the CPU time. */
const TICK_MS = 5;

const FIXED_TEXT = JSON.stringify(
  Array.from({ length: 30_000 }, (_, index) => ({ name: `name-${index}` })),
);

/** On a machine on which the fixed piece of work takes some milliseconds. */
const MAX_MS = 100;
/** Of the CPU time for the fixed piece of work. */
const MAX_RATIO = 40;

/** Measures how long the process does one thing before it does the next. */
export interface CpuTurns {
  /** The most CPU milliseconds of the main thread between two ticks since the last call. */
  longest(): number;
  stop(): void;
}

/**
 * Starts measuring. CPU time, not time: what other processes on the machine take does not count. The test itself, and
 * an embedded hub in the process, count too, so the result is an upper bound of what the backend takes.
 */
export function startCpuTurns(): CpuTurns {
  let before = process.threadCpuUsage();
  let most = 0;
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    most = Math.max(most, (user + system) / 1000);
  };
  const timer = setInterval(look, TICK_MS);
  return {
    longest() {
      look();
      const result = most;
      most = 0;
      return result;
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * CPU milliseconds that a turn may take: in `npm test`, which says the same on every machine, more on a slow one, by
 * what it takes now for a fixed piece of work.
 */
export function maxTurn(): number {
  if (IN_LONG_RUN) {
    return MAX_MS;
  }
  const before = process.threadCpuUsage();
  JSON.parse(FIXED_TEXT);
  const { user, system } = process.threadCpuUsage(before);
  return Math.max(MAX_MS, (MAX_RATIO * (user + system)) / 1000);
}
