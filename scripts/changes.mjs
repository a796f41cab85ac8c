// `npm test -- --changed`: what a change can affect. Imports say most of it; the tables say what they cannot.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from './output.mjs';
import { ROOT } from './paths.mjs';

const GREEN_COMMIT = join(ROOT, '.cache', 'green-commit');

const BACKEND = 'plugins/argocd-fleet-backend/src';
const SYSTEM_TESTS = `${BACKEND}/systemTests`;
const PROGRAMS = `${SYSTEM_TESTS}/convergence/__testUtils__`;

/** Programs that tests start, so that no import names them: `[test or what it imports, program]`. */
export const STARTED = [
  [
    `${SYSTEM_TESTS}/convergence/killedControllers.test.ts`,
    `${PROGRAMS}/controllersProcess.ts`,
  ],
  [
    `${SYSTEM_TESTS}/convergence/killedRemovals.test.ts`,
    `${PROGRAMS}/controllersProcess.ts`,
  ],
  [`${PROGRAMS}/killedRecorder.ts`, `${PROGRAMS}/recordingProcess.ts`],
  ['e2e-tests/src/takeover/replica.ts', 'packages/backend/src/index.ts'],
];

/** What a change of a file affects that no import names; the first row counts. Files stand for the tests that import them. */
export const NOT_IMPORTED = [
  [
    /^docs\/findings(\.md$|\/)/,
    {
      files: [
        `${SYSTEM_TESTS}/findingsDocumentation.test.ts`,
        'plugins/argocd-fleet/src/findings/findingPages.test.tsx',
      ],
    },
  ],
  [
    /^docs\/permissions\.md$/,
    { files: [`${SYSTEM_TESTS}/permissions/workedPolicy.test.ts`] },
  ],
  [/^docs\/installation\.md$/, { packages: true }],
  [
    /\/openapi\.yaml$/,
    {
      files: [
        `${SYSTEM_TESTS}/permissions/everyRoute.test.ts`,
        `${SYSTEM_TESTS}/hostile/__testUtils__/fuzzedRequest.ts`,
        `${BACKEND}/api/router.ts`,
        'plugins/argocd-fleet/src/__testUtils__/apiAnswers.ts',
      ],
    },
  ],
  [
    /^plugins\/argocd-fleet-backend\/migrations\//,
    {
      files: [`${BACKEND}/database/__testUtils__/testDatabase.ts`],
      browser: ['loop'],
    },
  ],
  [
    /^deploy\//,
    {
      files: [
        `${BACKEND}/__testUtils__/deployedRbac.ts`,
        'e2e-tests/src/rbac/deployedRoles.ts',
        `${SYSTEM_TESTS}/leastPrivilege/leastPrivilege.test.ts`,
      ],
      browser: ['loop'],
    },
  ],
  [
    /^e2e-tests\/src\/oracle\//,
    {
      files: [
        'e2e-tests/src/oracle/oracleCase.ts',
        'e2e-tests/src/oracle/recording.ts',
      ],
    },
  ],
  [
    /^packages\/simulated-fleet\/scenarios\//,
    {
      files: ['packages/simulated-fleet/src/scenario/loadScenario.test.ts'],
      browser: ['loop'],
    },
  ],
  [
    /^plugins\/scaffolder-[^/]+\/templates\//,
    {
      files: [
        'plugins/scaffolder-backend-module-argocd-fleet/src/template.test.ts',
      ],
      browser: ['template'],
    },
  ],
  [
    /^(app-config.*\.yaml|packages\/(app|backend)\/)/,
    { browser: ['loop', 'pages', 'template'], packages: true },
  ],
  [
    /^plugins\/[^/]+\/(package\.json|catalog-info\.yaml|config\.d\.ts)$/,
    { packages: true, browser: ['loop'] },
  ],
  // Only checks read these.
  [
    /\.md$|^(docs|bench|\.github|\.changeset|\.ci|e2e-tests\/(installed|real-hub)|scripts\/real-hub)\/|^(LICENSE|mkdocs\.yml|catalog-info\.yaml|\.(prettier|eslint|remark|git)\w*(\.\w+)?|\.dependency-cruiser\.cjs)$|^scripts\/(api-reports|bench|changes|ci-summary|documentation|github-files|import-graph|release-\w+|resolutions|second-run|slow-first|test\w*(-\w+)?)\.[cm][jt]s$/,
    {},
  ],
];

/** Browser tests of what a change of these files shows; the whole run has all of them. */
export const SHOWN = [
  [/^plugins\/argocd-fleet(-common)?\/src\//, ['loop', 'pages']],
  [/^plugins\/(catalog|scaffolder)-[^/]+\/src\//, ['template']],
  [/^(plugins|packages)\/[^/]+\/src\//, ['loop']],
];

const TEST_CODE = /\.test\.|\/setupTests\.|\/__testUtils__\/|\/systemTests\//;

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) {
    fail(`git ${args.join(' ')} failed:\n${stderr}`);
  }
  return stdout.split('\n').filter(Boolean);
}

/** Remembers the commit of a green `.ci/run`, unless the working tree differs from it. */
export async function rememberGreenRun() {
  if (git('status', '--porcelain').length === 0) {
    mkdirSync(join(ROOT, '.cache'), { recursive: true });
    writeFileSync(GREEN_COMMIT, git('rev-parse', 'HEAD')[0]);
  }
}

/** The files that differ from `ref`, by default the commit of the last green `.ci/run`; undefined without one. */
export function changedFiles(ref) {
  const since =
    ref ??
    (existsSync(GREEN_COMMIT) ? readFileSync(GREEN_COMMIT, 'utf8') : undefined);
  return (
    since && [
      ...git('diff', '--name-only', since, '--'),
      ...git('ls-files', '--others', '--exclude-standard'),
    ]
  );
}

/**
 * What a change affects, besides the checks.
 *
 * @param {string[]} changed - paths in the repository
 * @param {Map<string, string[]>} imports - from `readImports`
 * @param {(imports: Map<string, string[]>, files: string[]) => string[]} testsOf - of `import-graph.mjs`
 * @returns `tests` (paths of Jest's tests), `browser` (names of browser tests), `packages` (whether the packages are
 *   tried), or `everything`: the file because of which everything is run
 */
export function affectedBy(changed, imports, testsOf) {
  const graph = new Map(imports);
  for (const [test, program] of STARTED) {
    graph.set(test, [...(graph.get(test) ?? []), program]);
  }
  const affected = { tests: new Set(), browser: new Set(), packages: false };
  for (const file of changed) {
    const [, row] = NOT_IMPORTED.find(([pattern]) => pattern.test(file)) ?? [];
    const tests = testsOf(graph, [file, ...(row?.files ?? [])]);
    if (!row && tests.length === 0) {
      // A deleted source file is not in the graph any more, and those that imported it have changed.
      if (/\.tsx?$/.test(file) && !existsSync(join(ROOT, file))) {
        continue;
      }
      return { everything: file };
    }
    const [, shown = []] =
      (!TEST_CODE.test(file) &&
        SHOWN.find(([pattern]) => pattern.test(file))) ||
      [];
    for (const test of tests) {
      if (test.endsWith('.spec.ts')) {
        affected.browser.add(test);
      } else {
        affected.tests.add(test);
      }
    }
    [...(row?.browser ?? []), ...shown].forEach(name =>
      affected.browser.add(`e2e-tests/${name}.spec.ts`),
    );
    affected.packages ||= row?.packages === true;
  }
  return {
    tests: [...affected.tests],
    browser: [...affected.browser],
    packages: affected.packages,
  };
}
