// `npm run pack`: builds the published packages and packs each into a tarball, as a release would publish it.
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative } from 'node:path';
import { promisify } from 'node:util';
import { runQuietly } from './children.mjs';
import { yarnScript } from './install.mjs';
import { fail, step } from './output.mjs';
import { ROOT } from './paths.mjs';

const BIN = join(ROOT, 'node_modules', '.bin');
const execute = promisify(execFile);

/**
 * Files of the repository that a package gets besides its own, by the package's folder. An adopter has no copy of the
 * repository: what they apply to a hub and read about it comes with the backend.
 */
const ADDED = {
  'plugins/argocd-fleet-backend': [
    'SUPPORTED.md',
    'deploy/README.md',
    'deploy/kustomization.yaml',
    'deploy/multiclusterapplicationsetreports.crd.yaml',
    'deploy/rbac',
    'docs/digest.md',
    'docs/findings',
    'docs/findings.md',
    'docs/installation.md',
    'docs/metrics.md',
    'docs/permissions.md',
    'docs/pull-model.md',
  ],
};

/** The folders of the packages that a release publishes. */
export function publishedFolders() {
  return readdirSync(join(ROOT, 'plugins'))
    .map(name => `plugins/${name}`)
    .filter(folder => !manifestOf(join(ROOT, folder)).private);
}

export function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/**
 * Builds and packs every published package into `target`, which is emptied first.
 *
 * @returns for each package `folder` (in the repository), `name`, `version`, `tarball` (path), `size` and
 *   `unpackedSize` in bytes, and `files` with `path` and `size`
 */
export async function packAll(target) {
  const options = { cwd: ROOT, env: { ...process.env, CI: 'true' } };
  await step('Declaring types', () =>
    runQuietly(join(BIN, 'tsc'), ['--pretty', 'false'], options),
  );
  await step('Building packages', () =>
    runQuietly(join(BIN, 'backstage-cli'), ['repo', 'build'], options),
  );
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  return step('Packing', () =>
    Promise.all(publishedFolders().map(folder => packOne(folder, target))),
  );
}

async function packOne(folder, target) {
  const staging = mkdtempSync(join(tmpdir(), 'argocd-fleet-pack-'));
  try {
    // Yarn replaces `workspace:` ranges, and its scripts the entry points in src/ by those in dist/.
    const packed = join(staging, 'yarn.tgz');
    await runQuietly(yarnScript(), ['pack', '--out', packed], {
      cwd: join(ROOT, folder),
      env: process.env,
    });
    await execute('tar', ['-xzf', packed, '-C', staging]);
    const contents = join(staging, 'package');
    complete(folder, contents);
    const { stdout } = await execute('npm', [
      ...['pack', contents, '--ignore-scripts', '--json'],
      ...['--pack-destination', target],
    ]);
    const [{ name, version, filename, size, unpackedSize, files }] =
      JSON.parse(stdout);
    const tarball = join(target, filename);
    return { folder, name, version, tarball, size, unpackedSize, files };
  } finally {
    rmSync(staging, { recursive: true });
  }
}

/** Adds the license and the files of the repository, and leaves out what only the repository can use. */
function complete(folder, contents) {
  const added = ADDED[folder] ?? [];
  for (const path of ['LICENSE', ...added]) {
    cpSync(join(ROOT, path), join(contents, path), { recursive: true });
  }
  const manifest = manifestOf(contents);
  const history = ['CHANGELOG.md'].filter(one =>
    existsSync(join(contents, one)),
  );
  manifest.files.push(...history, ...added);
  // Conditions are tried in their order, and TypeScript needs the types before the code; Backstage adds them after it.
  for (const [path, target] of Object.entries(manifest.exports ?? {})) {
    if (target.types) {
      manifest.exports[path] = { types: target.types, ...target };
    }
  }
  // They run and name what is not published.
  delete manifest.scripts;
  delete manifest.devDependencies;
  writeFileSync(
    join(contents, 'package.json'),
    `${JSON.stringify(manifest, null, 2)}\n`,
  );
  const own = ['README.md', 'CHANGELOG.md'];
  for (const file of [
    ...own,
    ...added.flatMap(path => markdown(contents, path)),
  ]) {
    const path = join(contents, file);
    if (existsSync(path)) {
      const source = own.includes(file) ? posix.join(folder, file) : file;
      const text = readFileSync(path, 'utf8');
      writeFileSync(
        path,
        keepLinksInside(text, { source, file, folder, contents }),
      );
    }
  }
}

function markdown(contents, path) {
  return path.endsWith('.md') && existsSync(join(contents, path)) ? [path] : [];
}

/** A link from a Markdown file to another file: its text, path and fragment. */
export const FILE_LINK = /\[([^\]]*)\]\((?![a-z]+:|#)([^)\s#]+)(#[^)\s]*)?\)/g;

/**
 * Makes links fit to where the files are in the package. Of a link to a file that the package does not have, only the
 * text stays: the repository has no address that it could lead to.
 */
function keepLinksInside(text, { source, file, folder, contents }) {
  return text.replace(FILE_LINK, (_, label, path, fragment = '') => {
    const inRepository = posix.join(posix.dirname(source), path);
    const inPackage = inRepository.startsWith(`${folder}/`)
      ? posix.relative(folder, inRepository)
      : inRepository;
    return existsSync(join(contents, inPackage))
      ? `[${label}](${posix.relative(dirname(file), inPackage)}${fragment})`
      : label;
  });
}

const kB = bytes => `${(bytes / 1000).toFixed(1)} kB`;

/** What a release would publish: each package with its sizes, and the files by folder. */
function listing({ name, version, tarball, size, unpackedSize, files }) {
  const groups = new Map();
  for (const { path, size: bytes } of files) {
    const group = path.includes('/') ? `${path.split('/')[0]}/` : path;
    const { count, sum } = groups.get(group) ?? { count: 0, sum: 0 };
    groups.set(group, { count: count + 1, sum: sum + bytes });
  }
  return [
    `\n${name} ${version}: ${relative(ROOT, tarball)}, ${kB(size)}, unpacked ${kB(unpackedSize)}`,
    ...[...groups].map(
      ([group, { count, sum }]) =>
        `  ${group.padEnd(20)} ${kB(sum).padStart(10)}${group.endsWith('/') ? `  ${count} files` : ''}`,
    ),
  ].join('\n');
}

/** Packs into `dist/` and lists the contents; returns what {@link packAll} does. */
export async function run() {
  let packages;
  try {
    packages = await packAll(join(ROOT, 'dist'));
  } catch (error) {
    fail(`Packing failed:\n${error.message}`);
  }
  packages.forEach(one => console.log(listing(one)));
  const absent = ['repository', 'homepage', 'bugs'].filter(field =>
    packages.some(({ folder }) => !(field in manifestOf(join(ROOT, folder)))),
  );
  if (absent.length > 0) {
    console.log(
      `\n○ Before the first release, add ${absent.join(', ')}: to package.json of the repository and of each package.`,
    );
  }
  return packages;
}
