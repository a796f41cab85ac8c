// Runs a failed test file once more, alone. A failure that does not come back is a defect of the test (or a rare one of
// the product), but says nothing about the change: the file counts as passed, and its tests are listed as flaky.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';

/** More flaky files than this in one run make it fail. */
const MAX_FLAKY_FILES = 3;

/** Tests that are not run again: a rare failure there is a rare loss of works, workloads or records. */
const FAILS_AT_ONCE =
  /(^|\/)(systemTests\/(convergence|faults|hostile)|takeover|database)\//;

/** Where the first failures of flaky files are kept. */
const FOLDER = join(ROOT, '.cache', 'flaky');

/** Writes the failures of a file's first run to a file of their own, and returns its path. */
function keepFirstFailure({ file, failures }) {
  mkdirSync(FOLDER, { recursive: true });
  const time = new Date().toISOString();
  const path = join(
    FOLDER,
    `${time.replace(/\W/g, '-')}-${file.replace(/\W/g, '-')}.txt`,
  );
  writeFileSync(
    path,
    [
      `${file}, ${time}, ARGOCD_FLEET_SEED=${process.env.ARGOCD_FLEET_SEED}`,
      ...failures.map(({ title, message }) => `✗ ${title}\n${message}`),
    ].join('\n\n'),
  );
  return path;
}

/**
 * Replaces the results of failed files by those of a second run where that passes.
 *
 * @param files - results by test file, as `{ file, passed, failed, skipped, failures: [{ title, message }] }`; `final`
 *   if it is none
 * @param runAgain - runs one file alone and returns its results
 * @param keep - keeps the first failures of a flaky file and returns where
 * @returns `files` with the second results, and `flaky` as `[{ file, titles }]`
 */
export async function withSecondRun(files, runAgain, keep = keepFirstFailure) {
  const repeated = files.filter(
    ({ file, failed, final }) =>
      failed > 0 && !final && !FAILS_AT_ONCE.test(file),
  );
  const flaky = [];
  // With more of them, the run fails whatever the second runs say.
  if (repeated.length > MAX_FLAKY_FILES) {
    return { files, flaky };
  }
  const second = new Map();
  for (const first of repeated) {
    console.log(`• Running ${first.file} once more, alone …`);
    const again = await runAgain(first.file);
    if (again && again.failed === 0 && again.passed > 0) {
      second.set(first, again);
      flaky.push({
        file: first.file,
        titles: first.failures.map(({ title }) => title),
      });
      console.log(`  It passed. First failure: ${keep(first)}`);
    }
  }
  return { files: files.map(one => second.get(one) ?? one), flaky };
}

/** One line for each flaky test. */
export function flakyLines(flaky) {
  return flaky.flatMap(({ file, titles }) =>
    titles.map(title => `flaky: ${file} › ${title}`),
  );
}

/** The counts of a run, with a failure if too many files are flaky. */
export function withTooManyFlaky(counts) {
  const failure = `More than ${MAX_FLAKY_FILES} test files are flaky`;
  const files = new Set(counts.flaky.map(({ file }) => file));
  // The sum of several runs may have it from one of them.
  return files.size <= MAX_FLAKY_FILES || counts.failures.includes(failure)
    ? counts
    : {
        ...counts,
        failed: counts.failed + 1,
        failures: [...counts.failures, failure],
      };
}
