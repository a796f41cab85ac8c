// `npm run test:long`: the tests of which `npm test` runs only a few cases, whole; then all tests on a real control plane.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readImports, testsOf } from './import-graph.mjs';
import { ROOT } from './paths.mjs';
import { withRealHub } from './test-real-hub.mjs';
import { chooseSeed, resultsFolder, runParts } from './test-parts.mjs';
import { runJest, runPlaywright } from './test-runs.mjs';

/** Tells the tests that this is the long run. */
const VARIABLE = 'ARGOCD_FLEET_TESTS';

/** The tests that read the variable, themselves or through what they import. */
async function longTests() {
  const imports = await readImports();
  const readers = [...imports.keys()].filter(
    file =>
      /\.tsx?$/.test(file) &&
      readFileSync(join(ROOT, file), 'utf8').includes(VARIABLE),
  );
  return testsOf(imports, readers);
}

export async function run({ 'no-install': noInstall }) {
  process.env[VARIABLE] = 'long';
  const folder = resultsFolder('test-long');
  const tests = await longTests();
  const browser = tests.filter(file => file.endsWith('.spec.ts'));
  const unit = tests.filter(file => !browser.includes(file));
  chooseSeed();
  await withRealHub(folder, !noInstall, realHub =>
    runParts(folder, {
      unit: () =>
        runJest(folder, 'unit', {
          args: ['--runTestsByPath', ...unit.map(file => join(ROOT, file))],
        }),
      browser: () =>
        runPlaywright(folder, browser, {}, { mayInstall: !noInstall }),
      ...realHub,
    }),
  );
}
