// Installs the packages of yarn.lock unless they are installed already.
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from './children.mjs';
import { fail, step } from './output.mjs';
import { ROOT } from './paths.mjs';

const HASH_FILE = join(ROOT, 'node_modules', '.argocd-fleet-installed');

function workspaceManifests() {
  const folders = ['packages', 'plugins'].flatMap(folder =>
    readdirSync(join(ROOT, folder)).map(name => join(folder, name)),
  );
  return ['.', 'e2e-tests', ...folders]
    .map(folder => join(ROOT, folder, 'package.json'))
    .filter(existsSync);
}

/** A hash of everything that an installation depends on. */
function hashOfInputs() {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0]);
  for (const file of [
    join(ROOT, 'yarn.lock'),
    join(ROOT, '.yarnrc.yml'),
    ...workspaceManifests(),
  ]) {
    hash.update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** The environment in which Yarn uses the registry that npm uses. */
export function yarnEnvironment() {
  const env = { ...process.env };
  if (!env.YARN_NPM_REGISTRY_SERVER) {
    // Yarn does not read npm's configuration, but can use the same registry mirror.
    const { status, stdout } = spawnSync('npm', ['config', 'get', 'registry'], {
      encoding: 'utf8',
    });
    if (status === 0 && stdout.trim().startsWith('http')) {
      env.YARN_NPM_REGISTRY_SERVER = stdout.trim().replace(/\/$/, '');
    }
  }
  return env;
}

/** The path of the repository's own Yarn. */
export function yarnScript() {
  const { packageManager } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  );
  return join(
    ROOT,
    '.yarn',
    'releases',
    `${packageManager.replace('@', '-')}.cjs`,
  );
}

function yarnInstall() {
  return runQuietly(yarnScript(), ['install', '--immutable'], {
    cwd: ROOT,
    env: yarnEnvironment(),
  });
}

export async function install() {
  const hash = hashOfInputs();
  if (existsSync(HASH_FILE) && readFileSync(HASH_FILE, 'utf8') === hash) {
    return;
  }
  try {
    await step('Installing packages', yarnInstall);
  } catch (error) {
    fail(
      `Installing packages failed:\n${error.message}\n\nIf the registry cannot be reached, check \`npm config get registry\` and your proxy; then run the command again.`,
    );
  }
  writeFileSync(HASH_FILE, hash);
}
