// Runs every pure function over whole objects on the largest ones that a hub accepts, and on half of them.
import {
  countFor,
  ENTRY_POINTS,
  READS_WHOLE,
  SHAPES,
  stored,
} from '../../plugins/argocd-fleet-backend/src/model/__testUtils__/largeObjects';

/** Characters of JSON; etcd's limit for a request is 1.5 MiB. */
const LARGEST = 1_500_000;
const WARM_UPS = 2;
const RUNS = 7;

/** The CPU time of some calls, in milliseconds; the least is without garbage collections. */
function cpuMs(run: () => unknown): { median: number; least: number } {
  const times: number[] = [];
  for (let i = 0; i < WARM_UPS + RUNS; i += 1) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  const sorted = times.slice(WARM_UPS).sort((a, b) => a - b);
  return { median: sorted[Math.floor(RUNS / 2)], least: sorted[0] };
}

const figures = Object.entries(SHAPES).map(([shape, make]) => {
  const count = countFor(LARGEST, make);
  const sizes = [count, Math.floor(count / 2)].map(each => {
    const whole = make(each);
    return { whole, stored: stored(whole) };
  });
  return {
    shape,
    count,
    entryPoints: Object.entries(ENTRY_POINTS).map(([name, run]) => {
      const [largest, half] = sizes.map(size =>
        cpuMs(() => run(READS_WHOLE.has(name) ? size.whole : size.stored)),
      );
      return { name, largest, half };
    }),
  };
});

process.send!({ bench: figures });
