// `npm run bench -- controllers|status|whole|api|links|model`: measures a large fleet; prints the figures and writes them to
// `.cache/bench`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fail } from './output.mjs';
import { ROOT } from './paths.mjs';

const DIRECTORY = join(ROOT, '.cache', 'bench');

/** Each benchmark with its options and their defaults. */
const BENCHMARKS = {
  async controllers(options, common) {
    const { benchControllers } = await import('../bench/controllers.mjs');
    const { hub = 'embedded', sizes = '1000,10000,50000' } = options;
    return benchControllers({
      ...common,
      hub,
      applications: wholeNumber('applications', options, 5000),
      sizes: sizes
        .split(',')
        .map(size => wholeNumber('sizes', { sizes: size })),
    });
  },
  async status(options, common) {
    const { benchStatus } = await import('../bench/status.mjs');
    return benchStatus({
      ...common,
      clusters: wholeNumber('clusters', options, 1000),
      applicationSets: wholeNumber('application-sets', options, 100),
    });
  },
  async whole(options, common) {
    const { benchWhole, PARTS } = await import('../bench/whole.mjs');
    const clusters = wholeNumber('clusters', options, 100);
    const applications = wholeNumber('applications', options, 5000);
    const { parts = PARTS.join(',') } = options;
    const unknown = parts.split(',').find(part => !PARTS.includes(part));
    if (unknown !== undefined) {
      fail(`--parts takes some of ${PARTS.join(',')}, not "${unknown}"`);
    }
    return benchWhole({
      ...common,
      parts: parts.split(','),
      clusters,
      applicationSets: Math.max(1, Math.round(applications / clusters)),
      idleSeconds: 60,
      // Duration of the steady churn.
      seconds: wholeNumber('seconds', options, 120),
    });
  },
  async api(options) {
    const { benchApi } = await import('../bench/api.mjs');
    return benchApi({
      clusters: wholeNumber('clusters', options, 3500),
      applicationSets: wholeNumber('application-sets', options, 1000),
    });
  },
  async links(options) {
    const { benchLinks } = await import('../bench/links.mjs');
    return benchLinks({
      clusters: wholeNumber('clusters', options, 3500),
      applicationSets: wholeNumber('application-sets', options, 1000),
      components: wholeNumber('components', options, 5000),
    });
  },
  async model() {
    const { benchModel } = await import('../bench/model.mjs');
    return benchModel();
  },
};

function wholeNumber(name, { [name]: text }, fallback) {
  if (text === undefined) {
    return fallback;
  }
  if (!/^[1-9]\d*$/.test(text)) {
    fail(`--${name} takes a whole number of at least 1, not "${text}"`);
  }
  return Number(text);
}

/** Runs a benchmark; all options are strings. */
export async function run(options, [name] = []) {
  if (!Object.hasOwn(BENCHMARKS, name ?? '')) {
    fail(
      `${name === undefined ? 'Name a benchmark' : `There is no benchmark "${name}"`}. Benchmarks: ${Object.keys(BENCHMARKS).join(', ')}`,
    );
  }
  const started = new Date();
  const figures = await BENCHMARKS[name](options, {
    directory: DIRECTORY,
    seed: options.seed ?? 'bench',
  });
  mkdirSync(DIRECTORY, { recursive: true });
  const file = join(DIRECTORY, `${name}.json`);
  writeFileSync(
    file,
    `${JSON.stringify(
      {
        benchmark: name,
        at: started.toISOString(),
        node: process.version,
        cpu: `${cpus().length} × ${cpus()[0]?.model}`,
        ...figures,
      },
      undefined,
      2,
    )}\n`,
  );
  console.log(`\nFigures: ${file}`);
}
