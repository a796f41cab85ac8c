// A run of tests: its parts one after the other, and the sum of their counts as the last line.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { step } from './output.mjs';
import { ROOT } from './paths.mjs';
import { flakyLines, withTooManyFlaky } from './second-run.mjs';

/** Characters of each failure that are repeated at the end of the run. */
const MAX_FAILURE_LENGTH = 2_000;

/** Returns an empty folder for the results of a command. */
export function resultsFolder(name) {
  const folder = join(ROOT, '.cache', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The random cases of this run, which all its tests and second runs have in common. */
export function chooseSeed() {
  process.env.ARGOCD_FLEET_SEED ??= String(Date.now() % 1_000_000);
  console.log(
    `• Random cases of seed ${process.env.ARGOCD_FLEET_SEED} (set ARGOCD_FLEET_SEED to repeat them)`,
  );
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

/** Adds up the counts of two parts. */
export function addCounts(a, b) {
  const texts = key => [...(a[key] ?? []), ...(b[key] ?? [])];
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    failures: texts('failures'),
    notes: texts('notes'),
    flaky: texts('flaky'),
  };
}

export const NO_COUNTS = { passed: 0, failed: 0, skipped: 0 };

/**
 * Runs the parts one after the other, then prints what was skipped, what failed, which tests were flaky, and the sum of
 * the counts as the last line. Sets a failing exit code if a test failed. A part returns counts, and `failures` and
 * `notes` as texts and `flaky` as `withSecondRun` does.
 */
export async function runParts(folder, parts) {
  const seconds = {};
  let total = NO_COUNTS;
  for (const [name, part] of Object.entries(parts)) {
    const started = performance.now();
    total = addCounts(total, await part());
    seconds[name] = Math.round((performance.now() - started) / 1000);
  }
  total = withTooManyFlaky(total);
  const { failures, notes, flaky } = total;
  writeFileSync(
    join(folder, 'counts.json'),
    JSON.stringify({
      ...total,
      failures: failures.map(failure => failure.split('\n')[0]),
      seconds,
    }),
  );
  const times = Object.entries(seconds).map(
    ([name, count]) => `${name} ${count} s`,
  );
  console.log(`\n${times.join(', ')}`);
  notes.forEach(note => console.log(`○ ${note}`));
  for (const failure of failures) {
    console.log(`\n✗ ${failure.slice(0, MAX_FAILURE_LENGTH)}`);
  }
  flakyLines(flaky).forEach(line => console.log(line));
  console.log(`\n${summaryOf(total)}`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

export function summaryOf({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${
    skipped ? `, ${skipped} skipped` : ''
  }`;
}
