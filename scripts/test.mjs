// `npm test`: formatting, lint and types, then the tests of every package, then the packages as installed elsewhere, then
// the browser tests.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { runQuietly } from './children.mjs';
import { fail } from './output.mjs';
import { ROOT } from './paths.mjs';
import {
  BIN,
  resultsFolder,
  runJest,
  runParts,
  runPlaywright,
  runSteps,
} from './test-runs.mjs';
import { testPackages } from './test-packages.mjs';

const API_DESCRIPTION = 'plugins/argocd-fleet-backend/src/schema/openapi.yaml';
const API_TYPES = 'plugins/argocd-fleet-common/src/api.generated.ts';

/** What `.dependency-cruiser.cjs` has rules for. */
const SOURCE_FOLDERS = ['packages', 'plugins', 'e2e-tests', 'bench'];

const CHECKS = [
  ['Formatting', 'prettier', ['--check', '.']],
  ['Lint', 'backstage-cli', ['repo', 'lint', '--max-warnings', '0']],
  ['Types', 'tsc', ['--noEmit']],
  [
    'package.json of the published packages',
    'backstage-cli',
    ['repo', 'fix', '--publish', '--check'],
  ],
  [
    'Floors and circles of imports',
    'depcruise',
    ['--output-type', 'err', ...SOURCE_FOLDERS],
  ],
  [
    'Generated types of the HTTP API',
    'openapi-typescript',
    [
      ...[API_DESCRIPTION, '-o', API_TYPES, '--root-types'],
      ...['--root-types-no-schema-prefix', '--alphabetize', '--check'],
    ],
  ],
];

/** More parallel test files than a small machine has cores: most tests wait for hubs, processes and timers. */
const WORKERS = Math.min(8, Math.max(4, availableParallelism()));

function checks() {
  return runSteps(
    CHECKS.map(([title, command, args]) => [
      title,
      () =>
        runQuietly(join(BIN, command), args, {
          cwd: ROOT,
          env: { ...process.env, CI: 'true' },
        }),
    ]),
  );
}

export async function run({ only }) {
  const folder = resultsFolder('test');
  const parts = {
    checks,
    unit: () => runJest(folder, 'unit', ['repo', 'test'], { workers: WORKERS }),
    packages: () => testPackages(folder),
    browser: () => runPlaywright(folder),
  };
  if (only !== undefined && !(only in parts)) {
    fail(`--only takes ${Object.keys(parts).join(', ')}, not "${only}"`);
  }
  await runParts(folder, only ? [parts[only]] : Object.values(parts));
}
