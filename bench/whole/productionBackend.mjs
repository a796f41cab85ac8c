// The backend as a portal runs it: built, with all its plugins, in production mode, with SQLite in files.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { runQuietly, startNode } from '../../scripts/children.mjs';
import { step } from '../../scripts/output.mjs';
import { ROOT } from '../../scripts/paths.mjs';
import { freePort, waitUntilServing } from '../../scripts/services.mjs';
import { start } from '../processes.mjs';

const PACKAGE = join(ROOT, 'packages', 'backend');
/** Inside the repository: Node finds all other packages in its node_modules. */
const BUILT = join(ROOT, '.cache', 'bench', 'backend');
const STOP_TIMEOUT_MS = 15_000;
const PROBE = join(import.meta.dirname, 'probe.cjs');

/** The build looks for `yarn` on the PATH. */
function folderWithYarn() {
  const releases = join(ROOT, '.yarn', 'releases');
  const folder = join(ROOT, '.cache', 'bench', 'bin');
  const script = join(folder, 'yarn');
  const release = join(releases, readdirSync(releases)[0]);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    script,
    `#!/bin/sh\nexec "${process.execPath}" "${release}" "$@"\n`,
  );
  chmodSync(script, 0o755);
  return folder;
}

function linkPackages() {
  const links = join(BUILT, 'node_modules');
  mkdirSync(links);
  for (const plugin of readdirSync(join(BUILT, 'plugins'))) {
    const folder = join(BUILT, 'plugins', plugin);
    const { name } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    symlinkSync(folder, join(links, name), 'dir');
  }
}

/** Writes an entry point without the plugins of this repository, to see what a start costs without them. */
function writeEntryWithoutFleet(folder) {
  const text = readFileSync(join(folder, 'index.cjs.js'), 'utf8');
  writeFileSync(
    join(folder, 'withoutFleet.cjs.js'),
    text
      .split('\n')
      .filter(line => !/backend\.add\(.*argocd-fleet/.test(line))
      .join('\n'),
  );
}

/** Builds the backend's production bundle, and unpacks it into the cache. */
export async function buildBackend() {
  await step('Building the backend for production', async () => {
    await runQuietly(
      join(ROOT, 'node_modules', '@backstage', 'cli', 'bin', 'backstage-cli'),
      ['package', 'build'],
      {
        cwd: PACKAGE,
        env: {
          ...process.env,
          CI: 'true',
          PATH: `${folderWithYarn()}${delimiter}${process.env.PATH}`,
        },
      },
    );
    rmSync(BUILT, { recursive: true, force: true });
    mkdirSync(BUILT, { recursive: true });
    const { status, stderr } = spawnSync(
      'tar',
      ['xzf', join(PACKAGE, 'dist', 'bundle.tar.gz'), '-C', BUILT],
      { encoding: 'utf8' },
    );
    if (status !== 0) {
      throw new Error(`Unpacking the backend failed: ${stderr}`);
    }
    linkPackages();
    writeEntryWithoutFleet(join(BUILT, 'packages', 'backend', 'dist'));
  });
}

/** What differs from app-config.yaml: address, a token to read the API, and what a real portal has otherwise. */
function writeConfig(folder, url, token) {
  const path = join(folder, 'app-config.json');
  const { port } = new URL(url);
  writeFileSync(
    path,
    JSON.stringify({
      app: {
        baseUrl: url,
        // Otherwise the frontend's 320 files are written to the database before the backend is ready.
        disableStaticFallbackCache: true,
      },
      backend: {
        baseUrl: url,
        listen: { host: '127.0.0.1', port: Number(port) },
        cors: { origin: url },
        auth: {
          externalAccess: [
            { type: 'static', options: { token, subject: 'bench' } },
          ],
        },
        database: {
          client: 'better-sqlite3',
          connection: { directory: join(folder, 'database') },
        },
      },
      // Backstage's default: the example portal processes all entities every 15 s, to show changes sooner.
      catalog: { processingInterval: { seconds: 100 } },
    }),
  );
  return path;
}

/**
 * Starts the built backend on a hub.
 *
 * @param {object} options
 * @param {string} options.folder - keeps configuration, databases and log
 * @param {string} options.kubeconfig - of the hub
 * @param {boolean} [options.withoutFleet] - without this repository's plugins
 * @returns `url`, `token`, `database` (a path), `readyMs` (from the start until it is ready), `answers` (resolves with
 *   `firstAnswerMs` and `syncedMs`: the API answers, and has everything that the hub has), `figures()`, `collect()`
 *   and `profile()` (see probe.cjs), `api(path)`, `output()` (the log), `stop()`
 */
export async function startProductionBackend({
  folder,
  kubeconfig,
  withoutFleet = false,
}) {
  mkdirSync(folder, { recursive: true });
  const url = `http://127.0.0.1:${await freePort()}`;
  const token = randomBytes(24).toString('hex');
  const logPath = join(folder, 'backend.log');
  const log = openSync(logPath, 'a');
  const entry = withoutFleet ? 'withoutFleet.cjs.js' : 'index.cjs.js';
  const startedAt = performance.now();
  const child = startNode(
    [
      ...['--expose-gc', '--require', PROBE],
      join(BUILT, 'packages', 'backend', 'dist', entry),
      ...['--config', join(ROOT, 'app-config.yaml')],
      ...['--config', writeConfig(folder, url, token)],
    ],
    {
      // Paths in app-config.yaml are relative to this folder.
      cwd: PACKAGE,
      env: {
        ...process.env,
        NODE_ENV: 'production',
        ARGOCD_FLEET_KUBECONFIG: kubeconfig,
        ARGOCD_FLEET_BENCH_PROBE: 'true',
      },
      stdio: ['ignore', log, log],
    },
  );
  closeSync(log);
  const ended = once(child, 'exit').then(
    ([code, signal]) => signal ?? `code ${code}`,
  );
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      const killed = new AbortController();
      setTimeout(STOP_TIMEOUT_MS, undefined, killed).then(
        () => child.kill('SIGKILL'),
        () => {},
      );
      await ended;
      killed.abort();
    }
  };
  const request = async text => {
    const answered = once(child, 'message');
    child.send(text);
    const [{ bench }] = await answered;
    return bench;
  };
  const backend = {
    name: 'backend',
    ...{ url, token, ended, stop },
    output: () => readFileSync(logPath, 'utf8'),
    database: join(folder, 'database', 'argocd-fleet.sqlite'),
    figures: () => request('figures'),
    collect: () => request('collect'),
    /** Profiles until the returned function is called, which returns the longest turns (see turns.ts). */
    async profile() {
      const path = join(folder, 'profile.json');
      await request({ profile: path });
      return async () => {
        await request({ profile: path });
        return start('whole/turns.ts', [path]).message();
      };
    },
    /** The answer of this plugin's API. */
    async api(path) {
      const response = await fetch(`${url}/api/argocd-fleet${path}`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      if (!response.ok) {
        throw new Error(`${path}: ${response.status} ${await response.text()}`);
      }
      return response.json();
    },
  };
  const answers = withoutFleet ? undefined : untilSynced(backend, startedAt);
  // It fails too if the backend does not start, which is reported below.
  answers?.catch(() => {});
  await waitUntilServing(
    backend,
    `${url}/.backstage/health/v1/readiness`,
    300_000,
  );
  return { ...backend, answers, readyMs: performance.now() - startedAt };
}

/** Asks for the first page until the API answers, and until the answer is complete. */
async function untilSynced(backend, startedAt) {
  let firstAnswerMs;
  for (;;) {
    // Before the backend listens, nothing answers.
    const list = await backend.api('/applicationsets').catch(() => undefined);
    const ms = performance.now() - startedAt;
    firstAnswerMs ??= list && ms;
    if (list?.hubs.every(({ state }) => state === 'ready')) {
      return { firstAnswerMs, syncedMs: ms };
    }
    if (ms > 300_000) {
      throw new Error(
        `The API does not have the whole hub within 5 minutes: ${JSON.stringify(list?.hubs)}`,
      );
    }
    await setTimeout(100);
  }
}
