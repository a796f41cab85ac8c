// `npm run release:sizes`: what an adopter gets with the packages of `npm run pack`: the size on disk of the backend
// plugin with its dependencies, and what the frontend plugin adds to the files that a browser loads.
import { execFile } from 'node:child_process';
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { runQuietly } from './children.mjs';
import { yarnEnvironment, yarnScript } from './install.mjs';
import { fail, step } from './output.mjs';
import { manifestOf, packAll } from './pack.mjs';
import { ROOT } from './paths.mjs';

const execute = promisify(execFile);
const BACKEND = 'backstage-plugin-argocd-fleet-backend';
const FRONTEND = 'backstage-plugin-argocd-fleet';
const COMMON = 'backstage-plugin-argocd-fleet-common';

/** What every portal has: the frontend plugin adds nothing by using it. */
const OF_EVERY_PORTAL = [
  ...[
    '@backstage/*',
    '@material-ui/*',
    'react',
    'react-dom',
    'react-router-dom',
  ],
  ...['react/jsx-runtime', 'luxon'],
];

const MB = bytes => `${(bytes / 1e6).toFixed(1)} MB`;
const kB = bytes => `${(bytes / 1e3).toFixed(1)} kB`;

/** Size in bytes of a folder's files, counting links as nothing. */
function sizeOf(path) {
  const status = lstatSync(path);
  return status.isDirectory()
    ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
    : status.isFile()
      ? status.size
      : 0;
}

function packagesIn(modules) {
  return readdirSync(modules)
    .filter(name => !name.startsWith('.'))
    .flatMap(name =>
      name.startsWith('@')
        ? readdirSync(join(modules, name)).map(sub => `${name}/${sub}`)
        : [name],
    );
}

/** Installs the backend plugin alone, in the versions of this repository's yarn.lock. */
async function installBackend(folder, packages) {
  const tarballs = Object.fromEntries(
    packages.map(({ name, tarball }) => [name, `file:${tarball}`]),
  );
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      name: 'installation',
      private: true,
      dependencies: { [BACKEND]: tarballs[BACKEND] },
      resolutions: { ...manifestOf(ROOT).resolutions, ...tarballs },
    }),
  );
  writeFileSync(
    join(folder, '.yarnrc.yml'),
    'enableScripts: false\nenableTelemetry: false\nnodeLinker: node-modules\n',
  );
  cpSync(join(ROOT, 'yarn.lock'), join(folder, 'yarn.lock'));
  await runQuietly(yarnScript(), ['install', '--no-immutable'], {
    cwd: folder,
    env: { ...yarnEnvironment(), CI: '' },
  });
}

function printBackend(modules) {
  const sizes = packagesIn(modules)
    .map(name => ({ name, size: sizeOf(join(modules, name)) }))
    .sort((a, b) => b.size - a.size);
  const sum = sizes.reduce((total, { size }) => total + size, 0);
  console.log(
    `\n${BACKEND} with its dependencies: ${sizes.length} packages, ${MB(sum)}`,
  );
  const own = sizes.filter(({ name }) => name.startsWith('backstage-plugin-'));
  for (const { name, size } of [...sizes.slice(0, 5), ...own]) {
    console.log(`  ${name.padEnd(45)} ${MB(size).padStart(9)}`);
  }
}

/** The chunks that are loaded with an entry point: it and what it imports statically. */
function loadedWith(entry, outputs) {
  const loaded = new Set([entry]);
  for (const chunk of loaded) {
    outputs[chunk].imports
      .filter(({ kind, path }) => kind === 'import-statement' && outputs[path])
      .forEach(({ path }) => loaded.add(path));
  }
  return loaded;
}

/** Bundles an entry point of the frontend package as an app does, and prints the gzipped sizes of its chunks. */
async function printFrontend(folder, entry) {
  const outdir = join(folder, 'bundle', entry);
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: [join(folder, FRONTEND, 'dist', `${entry}.esm.js`)],
    outdir,
    metafile: true,
    ...{ bundle: true, splitting: true, minify: true, format: 'esm' },
    external: OF_EVERY_PORTAL,
    alias: { [COMMON]: join(folder, COMMON) },
    // Further dependencies in the versions of this repository.
    nodePaths: [join(ROOT, 'node_modules')],
    logLevel: 'error',
  });
  const { outputs } = metafile;
  const main = Object.keys(outputs).find(name =>
    outputs[name].entryPoint?.endsWith(`${entry}.esm.js`),
  );
  const loaded = loadedWith(main, outputs);
  const gzipped = name => gzipSync(readFileSync(join(folder, name))).length;
  const sum = names => names.reduce((total, name) => total + gzipped(name), 0);
  const lazy = Object.keys(outputs).filter(name => !loaded.has(name));
  console.log(
    `\n${FRONTEND}, ${entry}: ${kB(sum([...loaded]))} gzipped with the app, ${kB(sum(lazy))} when needed:`,
  );
  for (const name of lazy.sort((a, b) => gzipped(b) - gzipped(a))) {
    const [largest] = Object.entries(outputs[name].inputs).sort(
      ([, a], [, b]) => b.bytesInOutput - a.bytesInOutput,
    )[0] ?? ['(shared)'];
    console.log(
      `  ${kB(gzipped(name)).padStart(9)}  ${largest.replace(/^.*?(dist|node_modules)\//, '')}`,
    );
  }
}

async function measure(folder) {
  const packages = await packAll(join(folder, 'packages'));
  const installation = join(folder, 'installation');
  mkdirSync(installation);
  await step('Installing the backend plugin alone', () =>
    installBackend(installation, packages),
  );
  printBackend(join(installation, 'node_modules'));
  for (const name of [FRONTEND, COMMON]) {
    const { tarball } = packages.find(one => one.name === name);
    mkdirSync(join(folder, name));
    await execute('tar', [
      ...['-xzf', tarball, '-C', join(folder, name)],
      '--strip-components=1',
    ]);
  }
  await printFrontend(folder, 'index');
  await printFrontend(folder, 'legacy');
}

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'argocd-fleet-sizes-'));
  try {
    await measure(folder);
  } catch (error) {
    fail(`Measuring failed:\n${error.message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
