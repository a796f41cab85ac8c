// Runs Jest and Playwright and counts their tests, as parts of a run (test-parts.mjs).
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runQuietly, runShown } from './children.mjs';
import { findChromium } from './chromium.mjs';
import { ROOT } from './paths.mjs';
import { buildPortal } from './portal-build.mjs';
import { withSecondRun } from './second-run.mjs';

export const BIN = join(ROOT, 'node_modules', '.bin');
const SLOW_FIRST = join(ROOT, 'scripts', 'slow-first.cjs');
const PLAYWRIGHT_CONFIG = join(ROOT, 'e2e-tests', 'playwright.config.ts');

function readResult(file) {
  if (existsSync(file)) {
    return JSON.parse(readFileSync(file, 'utf8'));
  }
  console.error(`✗ The tests ended without a result (${file}).`);
  return undefined;
}

/** Runs failed files again, and sums up the results of all files as a part returns them. */
async function countFiles(files, runAgain) {
  const { files: final, flaky } = await withSecondRun(files, runAgain);
  const sum = key => final.reduce((total, one) => total + one[key], 0);
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    failures: final.flatMap(({ file, failures }) =>
      failures.map(({ title, message }) => `${file} › ${title}\n${message}`),
    ),
    notes: final.flatMap(({ notes }) => notes),
    flaky,
  };
}

/**
 * Runs Jest's tests, and failed files once more.
 *
 * @param {string} name - name of the result
 * @param {object} options
 * @param {string[]} [options.command] - of `backstage-cli`, which passes its further arguments to Jest
 * @param {string[]} [options.args] - further arguments: which tests
 * @param {string} [options.cwd] - folder of the package; by default the repository
 * @param {number} [options.workers] - number of parallel test files
 */
export async function runJest(
  folder,
  name,
  { command = ['repo', 'test'], args = [], cwd = ROOT, env, workers = 2 } = {},
) {
  const run = async (resultName, selection, maxWorkers) => {
    const file = join(folder, `${resultName}.json`);
    await runShown(
      join(BIN, 'backstage-cli'),
      [
        ...[...command, ...selection],
        ...['--watchAll=false', `--maxWorkers=${maxWorkers}`],
        `--testSequencer=${SLOW_FIRST}`,
        ...['--json', `--outputFile=${file}`],
      ],
      { cwd, env: { ...process.env, CI: 'true', ...env } },
    );
    return readResult(file)?.testResults.map(jestFile) ?? [withoutResult(name)];
  };
  const files = await run(name, args, workers);
  return countFiles(files, async file => {
    const path = ['--runTestsByPath', join(ROOT, file)];
    const [result] = await run(`${name}-again`, path, 1);
    return result;
  });
}

/** Results of a run that ended without any; no second run mends that. */
function withoutResult(file) {
  return {
    ...{ file, passed: 0, failed: 1, skipped: 0, notes: [], final: true },
    failures: [{ title: 'no result', message: '' }],
  };
}

function jestFile({ name, status, message, assertionResults }) {
  const file = relative(ROOT, name);
  const those = (...statuses) =>
    assertionResults.filter(one => statuses.includes(one.status));
  const failures = those('failed').map(({ fullName, failureMessages }) => ({
    title: fullName,
    message: failureMessages.join('\n'),
  }));
  if (status === 'failed' && failures.length === 0) {
    // A file that cannot be loaded has no tests.
    failures.push({ title: 'the whole file', message });
  }
  const skipped = those('pending', 'todo');
  return {
    file,
    passed: those('passed').length,
    failed: failures.length,
    skipped: skipped.length,
    failures,
    notes: skippedGroups(file, skipped),
  };
}

/** The number of skipped tests by group; the name of a skipped group says what it needs. */
function skippedGroups(file, skipped) {
  const groups = Map.groupBy(
    skipped,
    ({ ancestorTitles: [group], title }) => group ?? title,
  );
  return [...groups].map(
    ([group, tests]) => `${tests.length} skipped: ${file} › ${group}`,
  );
}

/**
 * Runs browser tests, and failed files once more; without Chromium they count as skipped, with a note that says what to
 * install. Annotations of the type `note` become notes.
 *
 * @param {string[]} [args] - further arguments of Playwright: which tests
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
  const run = async (resultName, selection) => {
    const file = join(folder, `${resultName}.json`);
    await runShown(
      join(BIN, 'playwright'),
      [
        ...['test', '--config', config],
        ...['--reporter=list,json', ...selection],
      ],
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
    return result
      ? playwrightFiles(result, dirname(config))
      : [withoutResult(`browser tests (${name})`)];
  };
  return countFiles(await run(name, args), async file => {
    const [result] = await run(`${name}-again`, [file, '--workers=1']);
    return result;
  });
}

function playwrightFiles({ suites, errors }, folder) {
  const files = Map.groupBy(specsOf(suites), ({ file }) =>
    relative(ROOT, join(folder, file)),
  );
  const results = [...files].map(([file, specs]) => {
    const tests = specs.flatMap(spec =>
      spec.tests.map(test => ({ ...test, title: spec.title })),
    );
    const those = status => tests.filter(test => test.status === status);
    const failures = those('unexpected').map(({ title, results: runs }) => ({
      title,
      message: runs.map(({ error }) => error?.message ?? '').join('\n'),
    }));
    return {
      file,
      passed: those('expected').length,
      failed: failures.length,
      skipped: those('skipped').length,
      failures,
      notes: tests
        .flatMap(({ annotations }) => annotations)
        .filter(({ type }) => type === 'note')
        .map(({ description }) => description),
    };
  });
  return errors.length > 0 && results.every(({ failed }) => failed === 0)
    ? [
        ...results,
        {
          ...withoutResult('browser tests'),
          failures: errors.map(({ message }) => ({ title: 'error', message })),
        },
      ]
    : results;
}

function specsOf(suites) {
  return (suites ?? []).flatMap(suite => [
    ...suite.specs,
    ...specsOf(suite.suites),
  ]);
}
