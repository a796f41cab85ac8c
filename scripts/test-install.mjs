// `npm run test:install`: the packages in new portals, as adopters install them. Packs the packages and publishes them to
// a registry on this machine, creates a portal with `@backstage/create-app` for each frontend system, follows
// docs/installation.md in it, starts it on the embedded hub, and looks at it in a browser.
import { execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { asService, startNode } from './children.mjs';
import { yarnEnvironment, yarnScript } from './install.mjs';
import { applyEdit, guideSteps } from './installation-guide.mjs';
import { manifestOf, packAll } from './pack.mjs';
import { ROOT } from './paths.mjs';
import {
  freePort,
  startFleet,
  startHub,
  untilInCatalog,
  waitUntilServing,
} from './services.mjs';
import { addCounts, resultsFolder, runParts, runSteps } from './test-parts.mjs';
import { runPlaywright } from './test-runs.mjs';

const execute = promisify(execFile);

/** Makes portals of Backstage 1.55, the version of backstage.json. */
const CREATE_APP = '@backstage/create-app@0.9.2';

/** Takes the versions of the release that `create-app` belongs to, as its lock file does: later ones need later others. */
function pinBackstage(portal, name) {
  const folder = join(portal, 'packages', name);
  const manifest = manifestOf(folder);
  for (const dependencies of [
    manifest.dependencies,
    manifest.devDependencies ?? {},
  ]) {
    for (const [dependency, range] of Object.entries(dependencies)) {
      if (dependency.startsWith('@backstage/')) {
        dependencies[dependency] = range.replace(/^\^/, '');
      }
    }
  }
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify(manifest, null, 2),
  );
}

/**
 * What only a test machine needs, and no part of the guide. A portal on a machine with Node 24, Yarn and access to npmjs.com
 * needs none of it.
 */
const MACHINE = {
  /** Files of a new portal that `create-app` cannot finish on every machine. */
  prepare(portal) {
    const path = join(portal, 'package.json');
    const manifest = manifestOf(portal);
    // Versions that every registry has, as this repository pins them; the newest ones lack packages in some mirrors.
    Object.assign(manifest.resolutions, manifestOf(ROOT).resolutions);
    writeFileSync(path, JSON.stringify(manifest, null, 2));
    // Without access to GitHub, `create-app` cannot fetch the lock file that belongs to its versions of Backstage's packages.
    const lock = join(portal, 'yarn.lock');
    if (statSync(lock).size < 100_000) {
      cpSync(join(ROOT, 'yarn.lock'), lock);
      ['app', 'backend'].forEach(name => pinBackstage(portal, name));
    }
  },
  /** The repository's Yarn and this Node in front of those of the machine, which may be too old or missing. */
  programs(folder) {
    const yarn = join(folder, 'yarn');
    mkdirSync(folder);
    writeFileSync(
      yarn,
      `#!/bin/sh\nexec "${process.execPath}" "${yarnScript()}" "$@"\n`,
    );
    chmodSync(yarn, 0o755);
    return [folder, dirname(process.execPath), process.env.PATH].join(
      delimiter,
    );
  },
  env: {
    BACKSTAGE_APP_NAME: 'portal',
    // With it, Yarn would refuse to change the lock file.
    CI: '',
    YARN_IGNORE_PATH: '1',
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_NPM_MINIMAL_AGE_GATE: '0', // the packages are seconds old
    YARN_ENABLE_SCRIPTS: 'false', // no compiler: better-sqlite3 13 comes with its binary
    YARN_ENABLE_TELEMETRY: 'false',
    YARN_NM_MODE: 'hardlinks-global', // the second portal shares the files of the first
  },
  /** Free ports, in place of Backstage's usual ones. */
  ports: ({ app, backend }) => ({
    APP_CONFIG_app_baseUrl: JSON.stringify(app),
    APP_CONFIG_backend_baseUrl: JSON.stringify(backend),
    APP_CONFIG_backend_listen: JSON.stringify(
      `127.0.0.1:${new URL(backend).port}`,
    ),
    APP_CONFIG_backend_cors_origin: JSON.stringify(app),
  }),
  /** Backstage's guest may sign in, also to the built portal. */
  guest: { NODE_ENV: 'development' },
};

/**
 * The registry is installed when the test runs: its 320 packages would be in every installation of the repository, for a
 * test that few people run. Its dependency is named by a distribution tag, which mirrors may lack.
 */
const REGISTRY = {
  dependencies: { verdaccio: '6.10.4' },
  overrides: { 'node-fetch': '^2.7.0' },
};

const SYSTEMS = {
  new: { title: 'new frontend system', flags: [], sections: ['Frontend'] },
  classic: {
    title: 'classic app',
    flags: ['--legacy'],
    sections: ['Frontend', 'Classic app'],
  },
};

/**
 * How a portal runs with each database: as developers start it, and built, with the configuration for production. They add
 * what they start to `running`, and return the portal with the URLs of its pages and its API.
 */
const RUNS = {
  SQLite: startForDevelopment,
  PostgreSQL: startBuilt,
};

const DEFAULT_RUNS = [
  ['new', ['SQLite']],
  ['classic', ['PostgreSQL']],
];

/** Commands of shells that have not ended, each with its process group. */
const shells = new Set();

/** Starts a command in a process group of its own, because Backstage's commands leave their children running. */
function startShell(name, command, { cwd, env }) {
  const child = spawn('sh', ['-ec', command], {
    ...{ cwd, env, detached: true },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = signal => {
    try {
      process.kill(-child.pid, signal);
    } catch (error) {
      if (error.code !== 'ESRCH') {
        throw error;
      }
    }
  };
  const service = asService(name, child, { kill });
  const shell = {
    ...service,
    kill: () => kill('SIGKILL'),
    async stop() {
      await service.stop();
      kill('SIGKILL');
      shells.delete(shell);
    },
  };
  shells.add(shell);
  return shell;
}

async function runCommand(command, options) {
  const shell = startShell(command, command, options);
  const end = await shell.ended;
  await shell.stop();
  if (end !== 'code 0') {
    throw new Error(
      `\`${command}\` ended with ${end}:\n${shell.output().slice(-6000)}`,
    );
  }
}

async function startRegistry(folder) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(REGISTRY));
  await execute(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund'],
    { cwd: folder },
  );
  const config = join(folder, 'config.json');
  const everybody = { access: '$all', publish: '$all' };
  const own = [
    'backstage-plugin-argocd-fleet*',
    'backstage-plugin-*-argocd-fleet',
  ];
  const port = await freePort();
  writeFileSync(
    config,
    JSON.stringify({
      storage: join(folder, 'storage'),
      uplinks: {
        npm: {
          url: yarnEnvironment().YARN_NPM_REGISTRY_SERVER,
          cache: false,
          // A burst of requests must not make it stop asking.
          ...{ max_fails: 1000, timeout: '60s' },
        },
      },
      packages: {
        ...Object.fromEntries(own.map(name => [name, everybody])),
        '**': { access: '$all', proxy: 'npm' },
      },
      log: { type: 'stdout', format: 'pretty', level: 'warn' },
    }),
  );
  const child = startNode(
    [
      join(folder, 'node_modules', 'verdaccio', 'bin', 'verdaccio'),
      ...['--config', config, '--listen', `127.0.0.1:${port}`],
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const url = `http://127.0.0.1:${port}`;
  const service = asService('registry', child);
  await waitUntilServing(service, `${url}/-/ping`, 60_000);
  return { ...service, url };
}

async function publish({ tarball }, registry) {
  await execute('npm', [
    ...['publish', tarball, '--registry', registry],
    // npm publishes nothing without a token; the registry accepts any.
    `--${new URL(registry).origin.slice('http:'.length)}/:_authToken=test`,
  ]);
}

/** Removes our packages from Yarn's cache, which has them by version: it would install those of an earlier run. */
async function forgetPackages(packages) {
  const { stdout } = await execute(
    process.execPath,
    [yarnScript(), 'config', 'get', 'cacheFolder'],
    { cwd: ROOT },
  );
  const folder = stdout.trim();
  for (const file of readdirSync(folder)) {
    if (
      packages.some(({ name, version }) =>
        file.startsWith(`${name}-npm-${version}-`),
      )
    ) {
      rmSync(join(folder, file));
    }
  }
}

/** Follows sections of the guide: makes its edits, and gives its commands to `onCommand`. */
async function follow(portal, sections, onCommand) {
  for (const section of sections) {
    const steps = guideSteps(section, {
      '/etc/argocd-fleet/kubeconfig': portal.kubeconfig,
    });
    for (const { command, ...edit } of steps) {
      if (command) {
        await onCommand(command);
      } else {
        applyEdit(portal.folder, edit);
      }
    }
  }
}

function shellOf(portal, env = {}) {
  return { cwd: portal.folder, env: { ...portal.env, ...env } };
}

/** `yarn start`: two servers, for the pages and the API; SQLite in memory. */
async function startForDevelopment(portal, running) {
  const [app, backend] = [await freePort(), await freePort()].map(
    port => `http://localhost:${port}`,
  );
  const urls = { app, backend };
  let shell;
  await follow(portal, ['Start'], async command => {
    shell = startShell('portal', command, shellOf(portal, MACHINE.ports(urls)));
    running.push(shell);
  });
  return { ...shell, urls };
}

/** As the Dockerfile of a new portal does it, but without a container: the built backend serves the pages too. */
async function startBuilt(portal, running) {
  const options = shellOf(portal);
  await follow(portal, ['Production'], command => runCommand(command, options));
  await runCommand('tar -xzf packages/backend/dist/bundle.tar.gz', options);
  const postgres = await startPostgres();
  running.push(postgres);
  const url = `http://localhost:${await freePort()}`;
  const urls = { app: url, backend: url };
  const shell = startShell(
    'portal',
    'exec node packages/backend --config app-config.yaml --config app-config.production.yaml',
    shellOf(portal, {
      ...MACHINE.ports(urls),
      ...MACHINE.guest,
      POSTGRES_HOST: postgres.host,
      POSTGRES_PORT: String(postgres.port),
      POSTGRES_USER: postgres.user,
      POSTGRES_PASSWORD: 'none',
    }),
  );
  running.push(shell);
  return { ...shell, urls };
}

async function startPostgres() {
  const require = createRequire(import.meta.url);
  // Lets this process load TypeScript.
  require('@backstage/cli/config/nodeTransform.cjs');
  const {
    findPostgres,
    INSTALL_POSTGRES,
    ...postgres
  } = require('../e2e-tests/src/takeover/postgres.ts');
  const programs = findPostgres();
  if (!programs) {
    throw new Error(`There is no PostgreSQL: ${INSTALL_POSTGRES}`);
  }
  return postgres.startPostgres(programs);
}

export async function run({ all, keep, 'no-install': noInstall }) {
  const results = resultsFolder('test-install');
  const folder = mkdtempSync(join(tmpdir(), 'argocd-fleet-install-'));
  process.on('exit', () => shells.forEach(shell => shell.kill()));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (!keep) {
        // Not by this process: the folder has 300,000 files, and processes that end with this one write to it.
        spawn('sh', ['-c', 'sleep 5; rm -rf "$0"', folder], {
          ...{ detached: true, stdio: 'ignore' },
        }).unref();
      }
      process.exit(1);
    });
  }
  const env = {
    ...yarnEnvironment(),
    ...MACHINE.env,
    PATH: MACHINE.programs(join(folder, 'bin')),
  };
  const services = [];
  let packages = [];
  let registryUrl;
  let prepared = false;

  async function prepare() {
    const counts = await runSteps(
      [
        [
          'Packing',
          async () => {
            packages = await packAll(join(results, 'packages'));
          },
        ],
        [
          'Publishing to a registry on this machine',
          async () => {
            const registry = await startRegistry(join(folder, 'registry'));
            services.push(registry);
            registryUrl = registry.url;
            for (const one of packages) {
              await publish(one, registry.url);
            }
            await forgetPackages(packages);
          },
        ],
      ],
      { needEachOther: true },
    );
    prepared = counts.failed === 0;
    return counts;
  }

  /** A portal of a frontend system, installed and not running. */
  async function makePortal(system, portal) {
    const { title, flags, sections } = SYSTEMS[system];
    const options = () => shellOf(portal);
    return runSteps(
      [
        [
          `${title}: create-app`,
          async () => {
            mkdirSync(dirname(portal.folder), { recursive: true });
            await runCommand(
              `npx --yes ${CREATE_APP} ${flags.join(' ')} --skip-install`,
              { ...options(), cwd: dirname(portal.folder) },
            );
            MACHINE.prepare(portal.folder);
            await runCommand('yarn install', options());
          },
        ],
        [
          `${title}: the hub`,
          async () => {
            const hub = await startHub({
              port: await freePort(),
              kubeconfig: portal.kubeconfig,
              definitions: false,
            });
            services.push(hub, startFleet({ kubeconfig: portal.kubeconfig }));
          },
        ],
        [
          `${title}: docs/installation.md`,
          async () => {
            portal.since = Date.now();
            // Only now: what `create-app` installs is none of ours, and comes from where it always does.
            portal.env.YARN_NPM_REGISTRY_SERVER = registryUrl;
            await follow(
              portal,
              ['Backend', ...sections, 'Hub', 'Link a component'],
              command => {
                console.log(`  $ ${command}`);
                return runCommand(command, options());
              },
            );
          },
        ],
      ],
      { needEachOther: true },
    );
  }

  async function runPortal(system, database, portal) {
    const name = `${SYSTEMS[system].title}, ${database}`;
    const running = [];
    let shell;
    try {
      const started = await runSteps([
        [
          `${name}: start`,
          async () => {
            shell = await RUNS[database](portal, running);
            const { app, backend } = shell.urls;
            const ready = `${backend}/.backstage/health/v1/readiness`;
            await waitUntilServing(shell, ready, 180_000);
            await waitUntilServing(shell, app, 180_000);
            await untilInCatalog(
              { ...shell, url: backend },
              'component/default/example-website',
            );
          },
        ],
      ]);
      if (started.failed > 0) {
        return started;
      }
      const seen = await runPlaywright(
        results,
        [],
        {
          ARGOCD_FLEET_PORTAL: shell.urls.app,
          ARGOCD_FLEET_PORTAL_NAME: name,
          ARGOCD_FLEET_PORTAL_SINCE: String(portal.since),
          ARGOCD_FLEET_KUBECONFIG: portal.kubeconfig,
        },
        {
          name: `${system}-${database}`,
          config: join(ROOT, 'e2e-tests', 'installed', 'playwright.config.ts'),
          prepare: async () => {},
          mayInstall: !noInstall,
        },
      );
      if (seen.failed > 0) {
        console.error(shell.output().slice(-6000));
      }
      return addCounts(started, seen);
    } finally {
      for (const service of running.reverse()) {
        await service.stop();
      }
    }
  }

  async function testSystem(system, databases) {
    if (!prepared) {
      const failures = [`${SYSTEMS[system].title}: not run`];
      return { passed: 0, failed: 1, skipped: 0, failures };
    }
    const home = join(folder, system);
    const portal = {
      folder: join(home, 'portal'),
      kubeconfig: join(home, 'kubeconfig'),
      env: { ...env, KUBECONFIG: join(home, 'kubeconfig') },
    };
    let counts = await makePortal(system, portal);
    if (counts.failed === 0) {
      for (const database of databases) {
        counts = addCounts(counts, await runPortal(system, database, portal));
      }
    }
    return counts;
  }

  const runs = all
    ? Object.keys(SYSTEMS).map(system => [system, Object.keys(RUNS)])
    : DEFAULT_RUNS;
  try {
    await runParts(results, {
      packages: prepare,
      ...Object.fromEntries(
        runs.map(([system, databases]) => [
          SYSTEMS[system].title,
          () => testSystem(system, databases),
        ]),
      ),
    });
  } finally {
    for (const service of services.reverse()) {
      await service.stop();
    }
    await forgetPackages(packages);
    if (keep) {
      console.log(`○ The portals are in ${folder}.`);
    } else {
      await rm(folder, { recursive: true, maxRetries: 5 });
    }
  }
}
