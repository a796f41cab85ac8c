// `npm test`: formatting, lint and types, then the tests of every package, then the packages as installed elsewhere, then
// the browser tests; with `--changed`, what a change can affect of these.
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { getReleasePlan } from '@changesets/get-release-plan';
import { apiReports } from './api-reports.mjs';
import { affectedBy, changedFiles } from './changes.mjs';
import { runQuietly } from './children.mjs';
import { buildDocumentation, mkdocsMissing } from './documentation.mjs';
import { checkGithubFiles } from './github-files.mjs';
import { readImports, SOURCE_FOLDERS, testsOf } from './import-graph.mjs';
import { fail } from './output.mjs';
import { ROOT } from './paths.mjs';
import { checkResolutions } from './resolutions.mjs';
import { testPackages } from './test-packages.mjs';
import {
  addCounts,
  chooseSeed,
  resultsFolder,
  runParts,
  runSteps,
} from './test-parts.mjs';
import { BIN, runJest, runPlaywright } from './test-runs.mjs';

/** Runs a program of node_modules, or a script of this repository. */
function program(name, args) {
  const script = name.endsWith('.mjs') ? join(ROOT, name) : join(BIN, name);
  return () =>
    runQuietly(script, args, {
      cwd: ROOT,
      env: { ...process.env, CI: 'true' },
    });
}

/** Checks that need each other's results. */
const TYPE_CHECKS = [
  // It writes declarations to dist-types/, which reports and packing need.
  ['Types', program('tsc', ['--pretty', 'false'])],
  [
    'API reports of the published packages (`npm run build:api-reports` writes them)',
    () => apiReports({ compare: true }),
  ],
];

/** Node's own test runner: Jest does not load the modules of scripts/. */
function testScripts() {
  const files = readdirSync(join(ROOT, 'scripts'))
    .filter(name => name.endsWith('.test.mjs'))
    .map(name => join('scripts', name));
  return runQuietly('--test', files, { cwd: ROOT });
}

const CHECKS = [
  ['Formatting', program('prettier', ['--check', '.'])],
  ['Lint', program('backstage-cli', ['repo', 'lint', '--max-warnings', '0'])],
  [
    'package.json of the published packages',
    program('backstage-cli', ['repo', 'fix', '--publish', '--check']),
  ],
  ['Files of GitHub', checkGithubFiles],
  ['Reasons for forced versions', checkResolutions],
  ['Changesets', () => getReleasePlan(ROOT)],
  [
    'Links between Markdown files',
    program('remark', [
      ...['.', '.github', '.changeset'],
      ...['--frail', '--quiet', '--no-stdout'],
    ]),
  ],
  [
    'Floors and circles of imports',
    program('depcruise', ['--output-type', 'err', ...SOURCE_FOLDERS]),
  ],
  [
    'Generated types of the HTTP API',
    program('plugins/argocd-fleet-common/scripts/generate.mjs', ['--check']),
  ],
  ['Second runs and affected tests', testScripts],
];

/** More parallel test files than a small machine has cores: most tests wait for hubs, processes and timers. */
const WORKERS = Math.min(8, Math.max(4, availableParallelism()));

async function checks() {
  const missing = mkdocsMissing();
  const documentation = missing ? [] : [['Documentation', buildDocumentation]];
  // Beside each other: each of them uses one core.
  const counts = await Promise.all([
    runSteps(TYPE_CHECKS, { needEachOther: true }),
    runSteps([...CHECKS, ...documentation]),
  ]);
  return missing
    ? addCounts(counts.reduce(addCounts), {
        ...{ passed: 0, failed: 0, skipped: 1 },
        notes: [missing],
      })
    : counts.reduce(addCounts);
}

/** The parts that a change since `ref` can affect, with the tests that it can affect in each. */
async function affectedParts(ref) {
  const changed = changedFiles(ref);
  if (!changed) {
    return fail(
      'No .ci/run was green in this clone. Name the commit to compare with: npm test -- --changed REF',
    );
  }
  const { everything, ...affected } = affectedBy(
    changed,
    await readImports(),
    testsOf,
  );
  if (everything) {
    console.log(`• ${everything} may affect everything`);
    return undefined;
  }
  const { tests, browser, packages } = affected;
  console.log(
    `• ${changed.length} changed files affect ${tests.length} test files, ${browser.length} browser tests${packages ? ', the packages' : ''}`,
  );
  return {
    checks: [],
    ...(tests.length > 0 && {
      unit: ['--runTestsByPath', ...tests.map(file => join(ROOT, file))],
    }),
    ...(packages && { packages: [] }),
    ...(browser.length > 0 && { browser }),
  };
}

export async function run(
  { only, changed, 'no-install': noInstall },
  [ref, ...more] = [],
) {
  if (more.length > 0 || (ref !== undefined && !changed)) {
    fail(`"${more[0] ?? ref}" is not expected. A commit is for --changed.`);
  }
  const folder = resultsFolder('test');
  const all = {
    checks,
    unit: args => runJest(folder, 'unit', { args, workers: WORKERS }),
    packages: () => testPackages(folder),
    browser: args =>
      runPlaywright(folder, args, {}, { mayInstall: !noInstall }),
  };
  if (only !== undefined && !Object.hasOwn(all, only)) {
    fail(`--only takes ${Object.keys(all).join(', ')}, not "${only}"`);
  }
  const everything = Object.fromEntries(
    (only ? [only] : Object.keys(all)).map(name => [name, []]),
  );
  if (only && changed) {
    fail('--changed chooses the parts itself: leave out --only.');
  }
  const selected = (changed && (await affectedParts(ref))) || everything;
  chooseSeed();
  await runParts(
    folder,
    Object.fromEntries(
      Object.entries(selected).map(([name, args]) => [
        name,
        () => all[name](args),
      ]),
    ),
  );
}
