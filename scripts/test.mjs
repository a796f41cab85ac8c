// `npm test`: formatting, lint and types, then the tests of every package, then the packages as installed elsewhere, then
// the browser tests.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { getReleasePlan } from '@changesets/get-release-plan';
import { apiReports } from './api-reports.mjs';
import { runQuietly } from './children.mjs';
import { buildDocumentation, mkdocsMissing } from './documentation.mjs';
import { checkGithubFiles } from './github-files.mjs';
import { fail } from './output.mjs';
import { ROOT } from './paths.mjs';
import { checkResolutions } from './resolutions.mjs';
import {
  BIN,
  resultsFolder,
  runJest,
  runParts,
  runPlaywright,
  runSteps,
} from './test-runs.mjs';
import { testPackages } from './test-packages.mjs';

/** What `.dependency-cruiser.cjs` has rules for. */
const SOURCE_FOLDERS = ['packages', 'plugins', 'e2e-tests', 'bench'];

/** Runs a program of node_modules, or a script of this repository. */
function program(name, args) {
  const script = name.endsWith('.mjs') ? join(ROOT, name) : join(BIN, name);
  return () =>
    runQuietly(script, args, {
      cwd: ROOT,
      env: { ...process.env, CI: 'true' },
    });
}

const CHECKS = [
  ['Formatting', program('prettier', ['--check', '.'])],
  ['Lint', program('backstage-cli', ['repo', 'lint', '--max-warnings', '0'])],
  // It writes declarations to dist-types/, which reports and packing need.
  ['Types', program('tsc', ['--pretty', 'false'])],
  [
    'API reports of the published packages (`npm run build:api-reports` writes them)',
    () => apiReports({ compare: true }),
  ],
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
];

/** More parallel test files than a small machine has cores: most tests wait for hubs, processes and timers. */
const WORKERS = Math.min(8, Math.max(4, availableParallelism()));

async function checks() {
  const missing = mkdocsMissing();
  const counts = await runSteps(
    missing ? CHECKS : [...CHECKS, ['Documentation', buildDocumentation]],
  );
  return missing
    ? { ...counts, skipped: counts.skipped + 1, notes: [missing] }
    : counts;
}

export async function run({ only, 'no-install': noInstall }) {
  const folder = resultsFolder('test');
  const parts = {
    checks,
    unit: () => runJest(folder, 'unit', ['repo', 'test'], { workers: WORKERS }),
    packages: () => testPackages(folder),
    browser: () => runPlaywright(folder, [], {}, { mayInstall: !noInstall }),
  };
  if (only !== undefined && !(only in parts)) {
    fail(`--only takes ${Object.keys(parts).join(', ')}, not "${only}"`);
  }
  await runParts(folder, only ? [parts[only]] : Object.values(parts));
}
