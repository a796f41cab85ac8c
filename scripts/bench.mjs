// `npm run bench -- hub|controllers|status`: measures a large fleet; prints the figures and writes them to
// `.cache/bench`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fail } from './output.mjs';
import { ROOT } from './paths.mjs';

const RESULTS = join(ROOT, '.cache', 'bench');

const BENCHMARKS = {
  async hub(options) {
    const { benchHub } = await import('../bench/hub.mjs');
    return benchHub(options);
  },
  async controllers(options) {
    const { benchControllers } = await import('../bench/controllers.mjs');
    return benchControllers(options);
  },
  async status({ options, ...common }) {
    const { benchStatus } = await import('../bench/status.mjs');
    return benchStatus({
      ...common,
      clusters: wholeNumber('clusters', options.clusters, 1000),
      applicationSets: wholeNumber(
        'application-sets',
        options['application-sets'],
        100,
      ),
    });
  },
};

function wholeNumber(name, text, fallback) {
  if (text === undefined) {
    return fallback;
  }
  if (!/^[1-9]\d*$/.test(text)) {
    fail(`--${name} takes a whole number of at least 1, not "${text}"`);
  }
  return Number(text);
}

/**
 * Runs a benchmark. All options are strings, with these defaults:
 * - `hub`: `clusters` (3500), `application-sets` (20), `seconds` of the steady load (60);
 * - `controllers`: `hub` (embedded; or real), `applications` that are written (5000), `sizes` of the fleets
 *   (1000,10000,50000);
 * - `status`: `clusters` (1000), `application-sets` (100);
 * - all: `seed` (bench).
 */
export async function run(options, [name = 'hub'] = []) {
  if (!(name in BENCHMARKS)) {
    fail(
      `There is no benchmark "${name}". Benchmarks: ${Object.keys(BENCHMARKS).join(', ')}`,
    );
  }
  const started = new Date();
  const figures = await BENCHMARKS[name]({
    options,
    directory: RESULTS,
    clusters: wholeNumber('clusters', options.clusters, 3500),
    applicationSets: wholeNumber(
      'application-sets',
      options['application-sets'],
      20,
    ),
    seconds: wholeNumber('seconds', options.seconds, 60),
    hub: options.hub ?? 'embedded',
    applications: wholeNumber('applications', options.applications, 5000),
    sizes: (options.sizes ?? '1000,10000,50000')
      .split(',')
      .map(size => wholeNumber('sizes', size)),
    seed: options.seed ?? 'bench',
  });
  mkdirSync(RESULTS, { recursive: true });
  const file = join(RESULTS, `${name}.json`);
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
