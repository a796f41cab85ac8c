import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

const PLATFORM = `${process.platform}-${process.arch}`;
const NAME = `node-${PLATFORM}`;
const VERSION = '24.0.0';

const writeJson = (path, content) =>
  writeFileSync(path, JSON.stringify(content));

/** The tarball of a package whose `bin/node` prints a text. */
function packNode(folder, text) {
  const source = mkdtempSync(join(folder, 'package-'));
  mkdirSync(join(source, 'bin'));
  writeJson(join(source, 'package.json'), { name: NAME, version: VERSION });
  writeFileSync(join(source, 'bin/node'), `#!/bin/sh\necho ${text}\n`);
  chmodSync(join(source, 'bin/node'), 0o755);
  spawnSync('npm', ['pack', '--pack-destination', source], { cwd: source });
  return readFileSync(join(source, `${NAME}-${VERSION}.tgz`));
}

const integrityOf = tarball =>
  `sha512-${createHash('sha512').update(tarball).digest('base64')}`;

/** A registry that has one package, and says of it what is true. */
async function startRegistry(tarball) {
  const server = createServer((request, response) => {
    if (request.url.endsWith('.tgz')) {
      response.end(tarball);
      return;
    }
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        name: NAME,
        'dist-tags': { latest: VERSION },
        versions: {
          [VERSION]: {
            name: NAME,
            version: VERSION,
            dist: {
              integrity: integrityOf(tarball),
              tarball: `http://127.0.0.1:${server.address().port}/${NAME}.tgz`,
            },
          },
        },
      }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Installs from the registry what the lock names, in a thread: the function blocks, and the registry answers here. */
async function install(folder, lockIntegrity, port) {
  const project = mkdtempSync(join(folder, 'project-'));
  const optionalDependencies = { [NAME]: VERSION };
  writeJson(join(project, 'package.json'), { optionalDependencies });
  writeJson(join(project, 'package-lock.json'), {
    lockfileVersion: 3,
    packages: {
      '': { optionalDependencies },
      [`node_modules/${NAME}`]: {
        version: VERSION,
        integrity: lockIntegrity,
        optional: true,
      },
    },
  });
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
    import(workerData.module).then(({ installPinnedNode }) => {
      try {
        parentPort.postMessage({ node: installPinnedNode(workerData.project, workerData.env) });
      } catch (error) {
        parentPort.postMessage({ error: error.message });
      }
    });`,
    {
      eval: true,
      workerData: {
        module: `file://${join(import.meta.dirname, 'node.mjs')}`,
        project,
        env: {
          ...process.env,
          npm_config_registry: `http://127.0.0.1:${port}/`,
          npm_config_cache: join(project, 'cache'),
        },
      },
    },
  );
  const [result] = await once(worker, 'message');
  await worker.terminate();
  return result;
}

test('a Node from npm is installed only if it has the integrity of the lock', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'argocd-fleet-node-'));
  const pinned = packNode(folder, 'pinned');
  const other = packNode(folder, 'other');
  const servers = [await startRegistry(pinned), await startRegistry(other)];
  try {
    const [good, bad] = servers.map(server => server.address().port);
    const { node } = await install(folder, integrityOf(pinned), good);
    assert.equal(spawnSync(node).stdout.toString(), 'pinned\n');
    const refused = await install(folder, integrityOf(pinned), bad);
    assert.equal(refused.node, undefined);
    assert.ok(
      refused.error.startsWith(`Getting ${NAME}@${VERSION} from npm failed`),
      refused.error,
    );
  } finally {
    servers.forEach(server => server.close());
    rmSync(folder, { recursive: true, force: true });
  }
});
