import { IN_LONG_RUN } from '../../../__testUtils__/randomCases';

/** Milliseconds between two looks at the CPU time. */
const TICK_MS = 5;

const FIXED_TEXT = JSON.stringify(
  Array.from({ length: 30_000 }, (_, index) => ({ name: `name-${index}` })),
);

/** Of the CPU time for a fixed piece of work. */
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
 * CPU milliseconds that a turn may take: an absolute number in the long run, and in `npm test`, which says the same on
 * every machine, a multiple of what this machine takes now for a fixed piece of work.
 */
export function maxTurn(): number {
  if (IN_LONG_RUN) {
    return 100;
  }
  // The shortest of three: a garbage collection may fall into one.
  const times = [1, 2, 3].map(() => {
    const before = process.threadCpuUsage();
    JSON.parse(FIXED_TEXT);
    const { user, system } = process.threadCpuUsage(before);
    return user + system;
  });
  return (MAX_RATIO * Math.min(...times)) / 1000;
}
