// `npm run build:api-reports`: writes report*.api.md of the published packages, what each of them exports. `npm test` compares.
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runQuietly } from './children.mjs';
import { fail, step } from './output.mjs';
import { publishedFolders } from './pack.mjs';
import { ROOT } from './paths.mjs';

const BIN = join(ROOT, 'node_modules', '.bin');

/** Messages that are not reported. */
const OMITTED = [
  // Types of a package of this repository come from its src/, not from declarations.
  'ae-wrong-input-file-type',
  // Members, whose names say what they are where they are Kubernetes' own. For whole declarations see below.
  'ae-undocumented',
];

/**
 * Makes the reports from the declarations in dist-types/. With `compare`, those that are there stay.
 * @throws Error if a report differs (with `compare`), has a warning, or has a declaration without documentation
 */
export async function apiReports({ compare }) {
  const folders = publishedFolders();
  const before = readReports(folders);
  let after;
  try {
    await runQuietly(
      join(BIN, 'backstage-repo-tools'),
      [
        ...['api-reports', ...folders, '--validate-release-tags'],
        ...['--omit-messages', OMITTED.join(',')],
      ],
      { cwd: ROOT, env: process.env },
    );
    after = readReports(folders);
  } catch (error) {
    throw new Error([...warnings(folders), error.message].join('\n'));
  } finally {
    replaceReports(folders, compare || !after ? before : after);
  }
  const problems = [
    ...(compare ? differences(before, after) : []),
    ...[...after].flatMap(undocumentedIn),
  ];
  if (problems.length > 0) {
    throw new Error(problems.join('\n'));
  }
}

function reportsOf(folder) {
  return readdirSync(join(ROOT, folder))
    .filter(file => /^report.*\.api\.md$/.test(file))
    .map(file => join(folder, file));
}

/** The text of each report by its path. */
function readReports(folders) {
  return new Map(
    folders
      .flatMap(reportsOf)
      .map(path => [
        path,
        inFixedOrder(readFileSync(join(ROOT, path), 'utf8')),
      ]),
  );
}

/** The tool says of a report only that it has warnings. */
function warnings(folders) {
  return [...readReports(folders)].flatMap(([path, text]) =>
    (text.match(/^\/\/ .*\((?:ae|tsdoc)-[a-z-]+\).*$/gm) ?? []).map(
      line => `${path}: ${line.replace(/^\/\/ /, '')}`,
    ),
  );
}

function replaceReports(folders, reports) {
  for (const path of folders.flatMap(reportsOf)) {
    if (!reports.has(path)) {
      rmSync(join(ROOT, path));
    }
  }
  for (const [path, text] of reports) {
    writeFileSync(join(ROOT, path), text);
  }
}

/**
 * TypeScript prints the literals of an inferred union, and the keys of a mapped type, in the order in which it met them:
 * a change elsewhere, or an incremental compilation, makes that another one.
 */
function inFixedOrder(text) {
  return text
    .replace(
      /(?:^ +readonly '[^'\n]+': ['"].*['"];\n)+/gm,
      lines => `${lines.trimEnd().split('\n').sort().join('\n')}\n`,
    )
    .replace(/^ +\| '[^'\n]*'(?:\n +\| '[^'\n]*')+/gm, lines =>
      lines.split('\n').sort().join('\n'),
    )
    .replace(/'[^'\n]*'(?: \| '[^'\n]*')+/g, line =>
      line.split(' | ').sort().join(' | '),
    );
}

/** How the reports differ, for people. */
function differences(before, after) {
  const folder = mkdtempSync(join(tmpdir(), 'argocd-fleet-api-'));
  try {
    for (const [name, reports] of Object.entries({ before, after })) {
      for (const [path, text] of reports) {
        mkdirSync(join(folder, name, dirname(path)), { recursive: true });
        writeFileSync(join(folder, name, path), text);
      }
    }
    const { stdout } = spawnSync(
      'git',
      ['diff', '--no-index', '--unified=2', 'before', 'after'],
      { cwd: folder, encoding: 'utf8' },
    );
    return stdout
      ? [
          stdout,
          'If this is intended, run `npm run build:api-reports`, commit the reports and add a changeset.',
        ]
      : [];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function undocumentedIn([path, text]) {
  return [...text.matchAll(/^\/\/ @\w+ \(undocumented\)\n(.+)$/gm)].map(
    ([, declaration]) =>
      `${path}: a comment has to say what this means: ${declaration}`,
  );
}

export async function run() {
  try {
    await step('Declaring types', () =>
      runQuietly(join(BIN, 'tsc'), ['--pretty', 'false'], {
        cwd: ROOT,
        env: process.env,
      }),
    );
    await step('Reporting', () => apiReports({ compare: false }));
  } catch (error) {
    fail(error.message);
  }
}
