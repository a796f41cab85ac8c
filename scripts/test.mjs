// `npm test`: formatting, lint and types, then the tests of every package, then the product in a real browser.
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { findChromium } from './chromium.mjs';
import { fail, runQuietly, step } from './output.mjs';
import { ROOT } from './paths.mjs';
import { buildPortal } from './portal-build.mjs';

const RESULTS = join(ROOT, '.cache', 'test-results');
const BIN = join(ROOT, 'node_modules', '.bin');
const PARTS = ['checks', 'unit', 'browser'];

function runShown(script, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, CI: 'true', ...env },
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(signal ?? code));
  });
}

function readResult(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

const API_DESCRIPTION = 'plugins/argocd-fleet-backend/src/schema/openapi.yaml';
const API_TYPES = 'plugins/argocd-fleet-common/src/api.generated.ts';

async function checks() {
  const list = [
    ['Formatting', 'prettier', ['--check', '.']],
    ['Lint', 'backstage-cli', ['repo', 'lint', '--max-warnings', '0']],
    ['Types', 'tsc', ['--noEmit']],
    [
      'Generated types of the HTTP API',
      'openapi-typescript',
      [
        ...[API_DESCRIPTION, '-o', API_TYPES, '--root-types'],
        ...['--root-types-no-schema-prefix', '--alphabetize', '--check'],
      ],
    ],
  ];
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const [title, command, args] of list) {
    try {
      await step(title, () =>
        runQuietly(join(BIN, command), args, {
          cwd: ROOT,
          env: { ...process.env, CI: 'true' },
        }),
      );
      counts.passed += 1;
    } catch (error) {
      console.error(`✗ ${title}\n${error.message}`);
      counts.failed += 1;
    }
  }
  return counts;
}

async function unit() {
  const file = join(RESULTS, 'unit.json');
  await runShown(join(BIN, 'backstage-cli'), [
    'repo',
    'test',
    '--watchAll=false',
    '--maxWorkers=2',
    '--json',
    `--outputFile=${file}`,
  ]);
  const result = readResult(file);
  if (!result) {
    console.error('✗ The tests of the packages ended without a result.');
    return { passed: 0, failed: 1, skipped: 0 };
  }
  return {
    passed: result.numPassedTests,
    // A file that cannot even be loaded has no tests to count, and must not pass for that.
    failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
    skipped: result.numPendingTests + result.numTodoTests,
  };
}

async function browser() {
  const chromium = await findChromium();
  const file = join(RESULTS, 'browser.json');
  const config = join(ROOT, 'e2e-tests', 'playwright.config.ts');
  if (!chromium.path) {
    const listed = await runQuietly(
      join(BIN, 'playwright'),
      ['test', '--config', config, '--list', '--reporter=json'],
      { cwd: ROOT, env: process.env },
    );
    const skipped = countSpecs(JSON.parse(listed).suites);
    console.error(`○ ${skipped} browser tests skipped: ${chromium.reason}.`);
    return { passed: 0, failed: 0, skipped };
  }
  await buildPortal();
  await runShown(
    join(BIN, 'playwright'),
    ['test', '--config', config, '--reporter=list,json'],
    {
      ARGOCD_FLEET_CHROMIUM: chromium.path,
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    },
  );
  const result = readResult(file);
  if (!result) {
    console.error('✗ The browser tests ended without a result.');
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const { expected, unexpected, flaky, skipped } = result.stats;
  return {
    passed: expected + flaky,
    failed: unexpected + (result.errors.length > 0 && unexpected === 0 ? 1 : 0),
    skipped,
  };
}

function countSpecs(suites) {
  return (suites ?? []).reduce(
    (sum, suite) => sum + suite.specs.length + countSpecs(suite.suites),
    0,
  );
}

export async function run({ only }) {
  if (only !== undefined && !PARTS.includes(only)) {
    fail(`--only takes ${PARTS.join(', ')}, not "${only}"`);
  }
  rmSync(RESULTS, { recursive: true, force: true });
  mkdirSync(RESULTS, { recursive: true });
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const [name, part] of Object.entries({ checks, unit, browser })) {
    if (only === undefined || only === name) {
      const counts = await part();
      for (const key of Object.keys(total)) {
        total[key] += counts[key];
      }
    }
  }
  const summary = `${total.passed} passed, ${total.failed} failed${
    total.skipped ? `, ${total.skipped} skipped` : ''
  }`;
  writeFileSync(join(RESULTS, 'summary'), `${summary}\n`);
  console.log(`\n${summary}`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}
