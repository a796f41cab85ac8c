import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flakyLines, withSecondRun, withTooManyFlaky } from './second-run.mjs';

const passing = file => ({
  ...{ file, passed: 2, failed: 0, skipped: 0, failures: [], notes: [] },
});
const failing = file => ({
  ...passing(file),
  ...{ passed: 1, failed: 1 },
  failures: [{ title: 'lists works', message: 'Error: no answer' }],
});

/** Runs the files of the first run again with these results; returns which were run. */
async function secondRun(first, again) {
  const [repeated, kept] = [[], []];
  const result = await withSecondRun(
    first,
    async file => {
      repeated.push(file);
      return again(file);
    },
    one => kept.push(one),
  );
  return { ...result, repeated, kept };
}

test('a file that fails once counts as passed, and its tests are listed', async () => {
  const { files, flaky, kept } = await secondRun(
    [passing('a.test.ts'), failing('b.test.ts')],
    passing,
  );
  assert.deepEqual(files, [passing('a.test.ts'), passing('b.test.ts')]);
  assert.deepEqual(flakyLines(flaky), ['flaky: b.test.ts › lists works']);
  assert.deepEqual(kept, [failing('b.test.ts')]);
});

test('a file that fails twice stays failed', async () => {
  const { files, flaky } = await secondRun([failing('b.test.ts')], failing);
  assert.deepEqual(files, [failing('b.test.ts')]);
  assert.deepEqual(flaky, []);
});

test('a file without a result or without a passed test in the second run stays failed', async () => {
  for (const again of [undefined, { ...passing('b.test.ts'), passed: 0 }]) {
    const { files } = await secondRun([failing('b.test.ts')], () => again);
    assert.deepEqual(files, [failing('b.test.ts')]);
  }
});

test('where a rare failure is a rare loss, a file fails at once', async () => {
  const first = [
    'plugins/argocd-fleet-backend/src/systemTests/convergence/a.test.ts',
    'plugins/argocd-fleet-backend/src/systemTests/faults/a.test.ts',
    'plugins/argocd-fleet-backend/src/systemTests/hostile/a.test.ts',
    'plugins/argocd-fleet-backend/src/database/a.test.ts',
    'e2e-tests/src/takeover/a.test.ts',
    'e2e-tests/src/database/a.test.ts',
  ].map(failing);
  for (const one of first) {
    const { files, repeated } = await secondRun([one], passing);
    assert.deepEqual(files, [one]);
    assert.deepEqual(repeated, []);
  }
});

test('of more than three failed files, none is run again', async () => {
  const first = ['a', 'b', 'c', 'd'].map(failing);
  const { files, repeated } = await secondRun(first, passing);
  assert.deepEqual(files, first);
  assert.deepEqual(repeated, []);
  assert.equal((await secondRun(first.slice(1), passing)).flaky.length, 3);
});

test('more than three flaky files fail, once in the sum of several runs', () => {
  const counts = { passed: 9, failed: 0, skipped: 0, failures: [] };
  const flaky = count =>
    Array.from({ length: count }, (_, index) => ({
      file: `${index}.test.ts`,
      titles: ['lists works', 'lists reports'],
    }));
  const three = { ...counts, flaky: flaky(3) };
  assert.equal(withTooManyFlaky(three), three);
  const four = withTooManyFlaky({ ...counts, flaky: flaky(4) });
  assert.equal(four.failed, 1);
  assert.equal(withTooManyFlaky(four).failed, 1);
});
