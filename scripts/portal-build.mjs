// Builds the portal's frontend when its sources have changed since the last build.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from './children.mjs';
import { fail, step } from './output.mjs';
import { ROOT } from './paths.mjs';

const APP = join(ROOT, 'packages', 'app');
const CLI = join(ROOT, 'node_modules', '@backstage', 'cli', 'bin');
const HASH_FILE = join(APP, 'dist', '.sources');

const SOURCES = [
  'yarn.lock',
  'app-config.yaml',
  'packages/app/package.json',
  'packages/app/public',
  'packages/app/src',
  'plugins/argocd-fleet/package.json',
  'plugins/argocd-fleet/src',
  'plugins/argocd-fleet-common/src',
];

function filesOf(path) {
  const absolute = join(ROOT, path);
  if (!existsSync(absolute)) {
    return [];
  }
  try {
    return readdirSync(absolute, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map(entry => join(entry.parentPath, entry.name))
      .sort();
  } catch (error) {
    if (error.code === 'ENOTDIR') {
      return [absolute];
    }
    throw error;
  }
}

export async function buildPortal() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(filesOf)) {
    hash.update(file.slice(ROOT.length)).update(readFileSync(file));
  }
  const sourcesHash = hash.digest('hex');
  if (
    existsSync(HASH_FILE) &&
    readFileSync(HASH_FILE, 'utf8') === sourcesHash
  ) {
    return;
  }
  try {
    await step('Building the portal', () =>
      runQuietly(join(CLI, 'backstage-cli'), ['package', 'build'], {
        cwd: APP,
        env: { ...process.env, CI: 'true' },
      }),
    );
  } catch (error) {
    fail(`Building the portal failed:\n${error.message}`);
  }
  writeFileSync(HASH_FILE, sourcesHash);
}
