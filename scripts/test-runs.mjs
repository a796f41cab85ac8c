// Runs Jest and Playwright, counts their tests, and prints the sum.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { runQuietly, runShown } from './children.mjs';
import { findChromium } from './chromium.mjs';
import { step } from './output.mjs';
import { ROOT } from './paths.mjs';
import { buildPortal } from './portal-build.mjs';

export const BIN = join(ROOT, 'node_modules', '.bin');
/** Characters of each failure that are repeated at the end of the run. */
const MAX_FAILURE_LENGTH = 2_000;
const PLAYWRIGHT_CONFIG = join(ROOT, 'e2e-tests', 'playwright.config.ts');

function noResult(name) {
  return { passed: 0, failed: 1, skipped: 0, failures: [`${name}: no result`] };
}

/** Returns an empty folder for the results of a command. */
export function resultsFolder(name) {
  const folder = join(ROOT, '.cache', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

function readResult(file) {
  if (existsSync(file)) {
    return JSON.parse(readFileSync(file, 'utf8'));
  }
  console.error(`✗ The tests ended without a result (${file}).`);
  return undefined;
}

/**
 * Runs `backstage-cli <args>`, which passes its last arguments to Jest; `workers` is the number of parallel test files.
 */
export async function runJest(
  folder,
  name,
  args,
  { cwd = ROOT, env, workers = 2 } = {},
) {
  const file = join(folder, `${name}.json`);
  await runShown(
    join(BIN, 'backstage-cli'),
    [
      ...args,
      ...['--watchAll=false', `--maxWorkers=${workers}`],
      ...['--json', `--outputFile=${file}`],
    ],
    { cwd, env: { ...process.env, CI: 'true', ...env } },
  );
  const result = readResult(file);
  return result
    ? {
        passed: result.numPassedTests,
        // A file that cannot be loaded has no tests, and counts as one failure.
        failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
        skipped: result.numPendingTests + result.numTodoTests,
        failures: jestFailures(result),
        notes: jestSkips(result),
      }
    : noResult(name);
}

/** The number of skipped tests by group; the name of a skipped group says what it needs. */
function jestSkips({ testResults }) {
  const groups = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'pending' || status === 'todo')
      .map(
        ({ ancestorTitles: [group], title }) =>
          `${relative(ROOT, name)} › ${group ?? title}`,
      ),
  );
  return [...new Set(groups)].map(group => {
    const { length } = groups.filter(other => other === group);
    return `${length} skipped: ${group}`;
  });
}

function jestFailures({ testResults }) {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const file = relative(ROOT, name);
      const failed = assertionResults.filter(one => one.status === 'failed');
      return failed.length > 0
        ? failed.map(
            ({ fullName, failureMessages }) =>
              `${file} › ${fullName}\n${failureMessages.join('\n')}`,
          )
        : [`${file}\n${message}`];
    });
}

/**
 * Runs browser tests; without Chromium they count as skipped, with a note that says what to install. Annotations of the
 * type `note` become notes.
 *
 * @param {object} [options]
 * @param {string} [options.name] - name of the result
 * @param {string} [options.config] - path of Playwright's configuration; by default that of the product's tests
 * @param {() => Promise<void>} [options.prepare] - by default builds the portal
 * @param {boolean} [options.mayInstall] - whether Chromium may be installed as a system package; by default it may
 */
export async function runPlaywright(
  folder,
  args = [],
  env = {},
  {
    name = 'browser',
    config = PLAYWRIGHT_CONFIG,
    prepare = buildPortal,
    mayInstall = true,
  } = {},
) {
  const chromium = await findChromium(mayInstall);
  const file = join(folder, `${name}.json`);
  if (!chromium.path) {
    const listed = await runQuietly(
      join(BIN, 'playwright'),
      [
        ...['test', '--config', config],
        ...['--list', '--reporter=json', ...args],
      ],
      { cwd: ROOT, env: process.env },
    );
    const skipped = specsOf(JSON.parse(listed).suites).length;
    const notes = [`${skipped} browser tests skipped: ${chromium.reason}.`];
    return { passed: 0, failed: 0, skipped, failures: [], notes };
  }
  await prepare();
  await runShown(
    join(BIN, 'playwright'),
    [...['test', '--config', config], ...['--reporter=list,json', ...args]],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        CI: 'true',
        ARGOCD_FLEET_CHROMIUM: chromium.path,
        PLAYWRIGHT_JSON_OUTPUT_FILE: file,
        ...env,
      },
    },
  );
  const result = readResult(file);
  if (!result) {
    return noResult(`browser tests (${name})`);
  }
  const { expected, unexpected, flaky, skipped } = result.stats;
  return {
    passed: expected,
    // A flaky test is a defect of the product or of the test.
    failed:
      unexpected +
      flaky +
      (result.errors.length > 0 && unexpected === 0 ? 1 : 0),
    skipped,
    failures: [
      ...specsOf(result.suites)
        .filter(({ ok }) => !ok)
        .map(({ file: from, title }) => `${from} › ${title}`),
      ...result.errors.map(({ message }) => message),
    ],
    notes: specsOf(result.suites)
      .flatMap(({ tests }) => tests)
      .flatMap(({ annotations }) => annotations)
      .filter(({ type }) => type === 'note')
      .map(({ description }) => description),
  };
}

/**
 * Runs steps as `[title, work]` one after the other and counts those that fail. With `needEachOther`, the steps after a
 * failed one are not run and count as failed.
 */
export async function runSteps(steps, { needEachOther = false } = {}) {
  const counts = { passed: 0, failed: 0, skipped: 0, failures: [] };
  for (const [title, work] of steps) {
    if (needEachOther && counts.failed > 0) {
      counts.failed += 1;
      counts.failures.push(`${title}: not run`);
      continue;
    }
    try {
      await step(title, work);
      counts.passed += 1;
    } catch (error) {
      console.error(`✗ ${title}\n${error.message}`);
      counts.failed += 1;
      counts.failures.push(`${title}\n${error.message}`);
    }
  }
  return counts;
}

function specsOf(suites) {
  return (suites ?? []).flatMap(suite => [
    ...suite.specs,
    ...specsOf(suite.suites),
  ]);
}

/**
 * Runs the parts one after the other, then prints what was skipped, what failed, and the sum of the counts as the last
 * line. Sets a failing exit code if a test failed. A part returns counts, and `failures` and `notes` as texts.
 */
export async function runParts(folder, parts) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const failures = [];
  const notes = [];
  for (const part of parts) {
    const counts = await part();
    for (const key of Object.keys(total)) {
      total[key] += counts[key];
    }
    failures.push(...counts.failures);
    notes.push(...(counts.notes ?? []));
  }
  writeFileSync(
    join(folder, 'counts.json'),
    JSON.stringify({
      ...total,
      failures: failures.map(failure => failure.split('\n')[0]),
      notes,
    }),
  );
  console.log('');
  notes.forEach(note => console.log(`○ ${note}`));
  for (const failure of failures) {
    console.log(`\n✗ ${failure.slice(0, MAX_FAILURE_LENGTH)}`);
  }
  console.log(`\n${summaryOf(total)}`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

export function summaryOf({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${
    skipped ? `, ${skipped} skipped` : ''
  }`;
}
