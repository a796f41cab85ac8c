// Backstage 1.55 needs Node 22.19 or 24. With another version, this repository's commands run on a Node from npm.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { startNode } from './children.mjs';
import { fail, step } from './output.mjs';

/** Its package-lock.json has the integrity of each Node, so that npm installs nothing else under the same version. */
const PINNED = join(import.meta.dirname, 'pinned-node');

export function isSupported(version) {
  const [major, minor] = version.split('.').map(Number);
  return (major === 22 && minor >= 19) || major === 24;
}

/** `name` and `version` of the package for this platform; undefined where npm has none. */
function packageOf(folder) {
  const { optionalDependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const name = `node-${process.platform}-${process.arch}`;
  const version = optionalDependencies[name];
  return version && { name, version };
}

/**
 * Installs the Node of a folder's package-lock.json and returns its path.
 * @throws Error where there is none for this platform, or npm does not get what the lock names
 */
export function installPinnedNode(folder, env = process.env) {
  const pinned = packageOf(folder);
  if (!pinned) {
    throw new Error(
      `npm has no Node for ${process.platform}-${process.arch} that this repository knows.`,
    );
  }
  const { name, version } = pinned;
  const installed = join(folder, 'node_modules', name);
  const node = join(installed, 'bin/node');
  if (versionIn(installed) === version && existsSync(node)) {
    return node;
  }
  const { status, stderr, error } = spawnSync(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund'],
    { cwd: folder, encoding: 'utf8', env },
  );
  if (status !== 0 || !existsSync(node)) {
    throw new Error(
      `Getting ${name}@${version} from npm failed:\n${(stderr || String(error ?? 'it is not there')).trim()}`,
    );
  }
  return node;
}

function versionIn(installed) {
  const manifest = join(installed, 'package.json');
  return existsSync(manifest)
    ? JSON.parse(readFileSync(manifest, 'utf8')).version
    : undefined;
}

function installOrFail() {
  try {
    return installPinnedNode(PINNED);
  } catch (error) {
    return fail(
      [
        `This is Node ${process.versions.node}; Argo CD Fleet needs Node 22.19 or later, or 24.`,
        error.message,
        'Install Node 24 (https://nodejs.org) or give npm access to its registry, and run the command again.',
      ].join('\n'),
    );
  }
}

/**
 * Returns true if this process can continue. Otherwise runs the same command on a supported Node, forwards signals to
 * it and takes over its exit code.
 */
export async function continueOnSupportedNode(script) {
  if (isSupported(process.versions.node)) {
    // Child processes that run `node` from the PATH must use the same version.
    process.env.PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
    return true;
  }
  const node = await step(
    `Getting a supported Node (this is ${process.versions.node})`,
    async () => installOrFail(),
  );
  const child = startNode([script, ...process.argv.slice(2)], {
    node,
    stdio: ['inherit', 'inherit', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('exit', (code, signal) => {
    process.exitCode = signal ? 1 : code;
  });
  return false;
}
