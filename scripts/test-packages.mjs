// The packages as a release would publish them: packs them, checks the tarballs, installs them outside of this
// repository, and starts a backend on the embedded hub with them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync, cpSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { asService, runQuietly, startNode } from './children.mjs';
import { yarnEnvironment, yarnScript } from './install.mjs';
import { applyEdit, guideSteps } from './installation-guide.mjs';
import { manifestOf, packAll } from './pack.mjs';
import { lintPackages } from './package-lint.mjs';
import { ROOT } from './paths.mjs';
import {
  freePort,
  startFleet,
  startHub,
  waitUntilServing,
} from './services.mjs';
import { runSteps } from './test-parts.mjs';

const BACKEND = 'backstage-plugin-argocd-fleet-backend';
const TOKEN = 'installation-test';

/**
 * What only this test needs. A portal needs none of it: versions of packages that every registry has, as this repository
 * pins them, and settings that make the installation fast.
 */
const MACHINE = {
  resolutions: manifestOf(ROOT).resolutions,
  yarnrc:
    'enableScripts: false\nenableTelemetry: false\nnodeLinker: node-modules\nnmMode: hardlinks-global\n',
};

/** Packages of Backstage that the smallest backend with all our plugins has. */
const BACKSTAGE = [
  '@backstage/backend-defaults',
  '@backstage/plugin-catalog-backend',
  '@backstage/plugin-catalog-backend-module-scaffolder-entity-model',
  '@backstage/plugin-scaffolder-backend',
  'better-sqlite3',
];

/** Checks that a package has every file that its package.json promises, and what every package has. */
function checkContents({ folder, name, files }) {
  const has = entry =>
    files.some(({ path }) => path === entry || path.startsWith(`${entry}/`));
  const promised = manifestOf(join(ROOT, folder))
    .files // Backstage's packing replaces the declaration by the schema.
    .map(entry => (entry === 'config.d.ts' ? 'config.schema.json' : entry));
  const missing = ['LICENSE', 'README.md', ...promised].filter(
    entry => !has(entry),
  );
  if (missing.length > 0) {
    throw new Error(`${name} lacks ${missing.join(', ')}`);
  }
}

/** Installs the tarballs in a portal that has only a backend, changed as docs/installation.md says. */
async function install(portal, packages, kubeconfig) {
  const backend = join(portal, 'packages', 'backend');
  mkdirSync(join(backend, 'src'), { recursive: true });
  const { dependencies: versions } = manifestOf(
    join(ROOT, 'packages', 'backend'),
  );
  const tarballs = Object.fromEntries(
    packages.map(({ name, tarball }) => [name, `file:${tarball}`]),
  );
  const manifest = {
    name: 'portal',
    private: true,
    dependencies: {
      ...Object.fromEntries(BACKSTAGE.map(name => [name, versions[name]])),
      ...tarballs,
    },
    // The packages depend on each other, and no registry has them yet.
    resolutions: { ...MACHINE.resolutions, ...tarballs },
  };
  writeFileSync(join(portal, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(portal, '.yarnrc.yml'), MACHINE.yarnrc);
  // Backstage's packages in the versions that are tested; their own updates are no defect of ours.
  cpSync(join(ROOT, 'yarn.lock'), join(portal, 'yarn.lock'));
  writeFileSync(
    join(backend, 'src', 'index.ts'),
    [
      `import { createBackend } from '@backstage/backend-defaults';`,
      `const backend = createBackend();`,
      ...BACKSTAGE.filter(name => name.includes('plugin-')).map(
        name => `backend.add(import('${name}'));`,
      ),
      'backend.start();\n',
    ].join('\n'),
  );
  writeFileSync(join(portal, 'app-config.yaml'), '{}');
  for (const step of guideSteps('Backend', {
    '/etc/argocd-fleet/kubeconfig': kubeconfig,
  })) {
    if (step.file) {
      applyEdit(portal, step);
    }
  }
  await runQuietly(yarnScript(), ['install', '--no-immutable'], {
    cwd: portal,
    env: { ...yarnEnvironment(), CI: '' },
  });
}

/** Starts the portal's backend as its own process, in the folder where `yarn start` runs it. */
function startPortal(portal, port) {
  const folder = join(portal, 'packages', 'backend');
  const url = `http://localhost:${port}`;
  writeFileSync(
    join(portal, 'app-config.test.yaml'),
    JSON.stringify({
      app: { baseUrl: url },
      backend: {
        baseUrl: url,
        listen: { host: '127.0.0.1', port },
        database: { client: 'better-sqlite3', connection: ':memory:' },
        auth: {
          externalAccess: [
            { type: 'static', options: { token: TOKEN, subject: 'test' } },
          ],
        },
      },
    }),
  );
  const child = startNode(
    [
      'src/index.ts',
      ...['app-config.yaml', 'app-config.test.yaml'].flatMap(file => [
        '--config',
        join(portal, file),
      ]),
    ],
    {
      cwd: folder,
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  return { ...asService('portal', child), url };
}

/** Reads a path of the portal's API until `accept` accepts the answer. */
async function untilAnswered({ url, output }, path, accept) {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const response = await fetch(url + path, {
      headers: { Authorization: `Bearer ${TOKEN}` },
      signal: AbortSignal.timeout(10_000),
    });
    const text = await response.text();
    if (response.ok && accept(JSON.parse(text))) {
      return;
    }
    if (Date.now() > deadline) {
      throw new Error(
        `${path} answered ${response.status} ${text.slice(0, 500)}\n${output().slice(-2000)}`,
      );
    }
    await setTimeout(200);
  }
}

async function startsWithoutFiles(portal) {
  const file = 'src/schema/openapi.yaml';
  rmSync(join(portal, 'node_modules', BACKEND, file));
  const service = startPortal(portal, await freePort());
  const end = await Promise.race([
    service.ended,
    setTimeout(60_000, undefined, { ref: false }),
  ]);
  await service.stop();
  const lines = service.output().trim().split('\n');
  if (
    end !== 'code 1' ||
    !lines
      .at(-1)
      .includes(`is incomplete: ${file} missing. Install the package again`)
  ) {
    throw new Error(
      `It ended with ${end ?? 'nothing, after 60 s'}:\n${service.output().slice(-2000)}`,
    );
  }
}

export async function testPackages(folder) {
  const portal = mkdtempSync(join(tmpdir(), 'argocd-fleet-portal-'));
  const kubeconfig = join(portal, 'kubeconfig');
  const services = [];
  let packages = [];
  let backend;
  try {
    return await runSteps(
      [
        [
          'Packages: packing',
          async () => {
            packages = await packAll(join(folder, 'packages'));
          },
        ],
        ['Packages: contents', async () => packages.forEach(checkContents)],
        [
          'Packages: publint and arethetypeswrong',
          () => lintPackages(packages),
        ],
        [
          'Packages: installed outside of the repository',
          () => install(portal, packages, kubeconfig),
        ],
        [
          'Packages: the backend answers',
          async () => {
            services.push(
              await startHub({ port: await freePort(), kubeconfig }),
            );
            services.push(startFleet({ kubeconfig }));
            backend = startPortal(portal, await freePort());
            services.push(backend);
            await waitUntilServing(
              backend,
              `${backend.url}/.backstage/health/v1/readiness`,
              60_000,
            );
            await untilAnswered(
              backend,
              '/api/argocd-fleet/applicationsets',
              ({ items }) =>
                items.some(
                  ({ ref }) => ref.name === 'guestbook-allclusters-app-set',
                ),
            );
          },
        ],
        [
          'Packages: the catalog has the fleet',
          () =>
            untilAnswered(
              backend,
              '/api/catalog/entities?filter=spec.type=argocd-applicationset',
              entities => entities.length > 0,
            ),
        ],
        [
          'Packages: the catalog has the template',
          () =>
            untilAnswered(
              backend,
              '/api/catalog/entities?filter=kind=template',
              entities => entities.length > 0,
            ),
        ],
        [
          'Packages: a broken installation ends with its reason',
          () => startsWithoutFiles(portal),
        ],
      ],
      { needEachOther: true },
    );
  } finally {
    for (const service of services.reverse()) {
      await service.stop();
    }
    rmSync(portal, { recursive: true, force: true });
  }
}
