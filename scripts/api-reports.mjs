// `npm run build:api-reports`: writes report*.api.md of the published packages, what each of them exports. `npm test` compares.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runQuietly } from './children.mjs';
import { fail, step } from './output.mjs';
import { manifestOf, publishedFolders } from './pack.mjs';
import { ROOT } from './paths.mjs';

const BIN = join(ROOT, 'node_modules', '.bin');
/** Where the tool keeps the reports that it made. */
const MADE = join(ROOT, 'node_modules', '.cache', 'api-extractor');

/**
 * For tsc: all declarations are written anew. TypeScript orders the members of an inferred union as it meets them, and a
 * build of the changed files alone meets them in another order than the first build does.
 */
export const FULL_DECLARATIONS = [
  '--pretty',
  'false',
  '--incremental',
  'false',
];

/** Messages that are not reported. */
const OMITTED = [
  // Types of a package of this repository come from its src/, not from declarations.
  'ae-wrong-input-file-type',
  // Members, whose names say what they are where they are Kubernetes' own. For whole declarations see below.
  'ae-undocumented',
];

/**
 * Makes the reports from the declarations in dist-types/, or compares them with those that are there.
 * @throws Error if a report differs (with `compare`), has a warning, or has a declaration without documentation
 */
export async function apiReports({ compare }) {
  const folders = publishedFolders();
  try {
    await runQuietly(
      join(BIN, 'backstage-repo-tools'),
      [
        ...['api-reports', ...folders, '--validate-release-tags'],
        ...['--omit-messages', OMITTED.join(',')],
        ...(compare ? ['--ci'] : []),
      ],
      { cwd: ROOT, env: process.env },
    );
  } catch (error) {
    throw new Error(differences(folders) || error.message);
  }
  const undocumented = folders.flatMap(folder =>
    reportsOf(folder).flatMap(file => undocumentedIn(join(folder, file))),
  );
  if (undocumented.length > 0) {
    throw new Error(
      `These declarations need a comment that says what they mean:\n${undocumented.join('\n')}`,
    );
  }
}

function reportsOf(folder) {
  return readdirSync(join(ROOT, folder)).filter(file =>
    /^report.*\.api\.md$/.test(file),
  );
}

/** How the report that the tool stopped at differs from that in the repository; empty if none differs. */
function differences(folders) {
  return folders
    .flatMap(folder =>
      reportsOf(folder).map(file => {
        const { name } = manifestOf(join(ROOT, folder));
        const suffix = file.slice('report'.length, -'.api.md'.length);
        return [join(folder, file), join(MADE, name + suffix, file)];
      }),
    )
    .filter(([, made]) => existsSync(made))
    .map(([report, made]) =>
      spawnSync(
        'git',
        ['diff', '--no-index', '--unified=2', report, relative(ROOT, made)],
        { cwd: ROOT, encoding: 'utf8' },
      ).stdout.trim(),
    )
    .filter(Boolean)
    .map(
      diff =>
        `${diff}\nIf this is intended, run \`npm run build:api-reports\`, commit the reports and add a changeset.`,
    )
    .join('\n');
}

function undocumentedIn(report) {
  const text = readFileSync(join(ROOT, report), 'utf8');
  return [...text.matchAll(/^\/\/ @\w+ \(undocumented\)\n(.+)$/gm)].map(
    ([, declaration]) => `${report}: ${declaration}`,
  );
}

export async function run() {
  try {
    await step('Declaring types', () =>
      runQuietly(join(BIN, 'tsc'), FULL_DECLARATIONS, {
        cwd: ROOT,
        env: process.env,
      }),
    );
    await step('Reporting', () => apiReports({ compare: false }));
  } catch (error) {
    fail(error.message);
  }
}
