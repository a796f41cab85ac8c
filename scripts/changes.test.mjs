import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { affectedBy, NOT_IMPORTED, SHOWN, STARTED } from './changes.mjs';
import { testsOf } from './import-graph.mjs';
import { ROOT } from './paths.mjs';

const BACKEND = 'plugins/argocd-fleet-backend/src';

/** What a change of the files affects, with these imports. */
const affected = (files, imports = {}) =>
  affectedBy(files, new Map(Object.entries(imports)), testsOf);

test('a source file affects the tests that import it, in other packages too', () => {
  const imports = {
    [`${BACKEND}/model/status/status.ts`]: [],
    [`${BACKEND}/model/status/index.ts`]: [`${BACKEND}/model/status/status.ts`],
    [`${BACKEND}/model/status/status.test.ts`]: [
      `${BACKEND}/model/status/status.ts`,
    ],
    'e2e-tests/src/cel/agentCel.test.ts': [`${BACKEND}/model/status/index.ts`],
    [`${BACKEND}/model/text/text.test.ts`]: [],
  };
  assert.deepEqual(affected([`${BACKEND}/model/status/status.ts`], imports), {
    tests: [
      'e2e-tests/src/cel/agentCel.test.ts',
      `${BACKEND}/model/status/status.test.ts`,
    ],
    browser: ['e2e-tests/loop.spec.ts'],
    packages: false,
  });
});

test('a test affects itself alone', () => {
  const file = 'packages/embedded-hub/src/hub.test.ts';
  assert.deepEqual(affected([file], { [file]: [] }), {
    ...{ tests: [file], browser: [], packages: false },
  });
  const spec = 'e2e-tests/keyboard.spec.ts';
  assert.deepEqual(affected([spec], { [spec]: [] }).browser, [spec]);
});

test('a program affects the tests that start it', () => {
  const [[, program]] = STARTED;
  const starting = STARTED.flatMap(([from, each]) =>
    each === program ? from : [],
  );
  const { tests } = affected([program], { [program]: [] });
  assert.deepEqual(tests, starting);
});

test('documentation affects the tests that read it, or checks alone', () => {
  assert.deepEqual(affected(['docs/findings/AFC-204.md']).tests.length, 2);
  assert.deepEqual(affected(['README.md', '.github/workflows/ci.yml']), {
    ...{ tests: [], browser: [], packages: false },
  });
});

test('a file of which nothing is known affects everything', () => {
  for (const file of [
    'yarn.lock',
    'package.json',
    'tsconfig.json',
    'new.bin',
  ]) {
    assert.deepEqual(affected(['README.md', file]), { everything: file });
  }
});

test('a deleted source file affects only what changed with it', () => {
  assert.deepEqual(affected([`${BACKEND}/model/deleted.ts`]).tests, []);
});

test('the tables name files that exist', () => {
  const browser = [...NOT_IMPORTED, ...SHOWN].flatMap(([, row]) =>
    (Array.isArray(row) ? row : (row.browser ?? [])).map(
      name => `e2e-tests/${name}.spec.ts`,
    ),
  );
  const files = NOT_IMPORTED.flatMap(([, row]) => row.files ?? []);
  const missing = [...STARTED.flat(), ...files, ...browser].filter(
    file => !existsSync(join(ROOT, file)),
  );
  assert.deepEqual(missing, []);
});
