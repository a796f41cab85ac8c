// The custom resource definitions of a hub for Argo CD Fleet.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ROOT } from '../paths.mjs';
import { startService } from '../running.mjs';
import { freePort, waitUntilServing } from '../services.mjs';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const READY_TIMEOUT_MS = 60_000;
const ESTABLISHED_TIMEOUT_MS = 30_000;

/** The folder of the published definitions; undefined if it does not exist. */
function publishedFolder() {
  const folder =
    process.env.ARGOCD_FLEET_CRDS ?? join(ROOT, '..', 'shared', 'crds');
  return existsSync(folder) ? folder : undefined;
}

function yamlFiles(folder, ending) {
  return readdirSync(folder)
    .filter(name => name.endsWith(ending))
    .map(name => ({
      source: join(folder, name),
      text: readFileSync(join(folder, name), 'utf8'),
      type: 'application/yaml',
    }));
}

/** The built-in definitions of the embedded hub, for resources without a published definition. */
async function embeddedDefinitions() {
  const port = await freePort();
  const hub = startService(
    'embedded hub',
    'packages/embedded-hub/src/main.ts',
    ['--port', String(port)],
  );
  try {
    const url = `http://127.0.0.1:${port}`;
    await waitUntilServing(hub, `${url}/readyz`, READY_TIMEOUT_MS);
    const { items } = await (await fetch(`${url}${CRDS}`)).json();
    return items.map(({ apiVersion, kind, metadata, spec }) => ({
      source: `the embedded hub's ${metadata.name}`,
      text: JSON.stringify({
        apiVersion,
        kind,
        metadata: { name: metadata.name, labels: metadata.labels },
        spec,
      }),
      type: 'application/json',
    }));
  } finally {
    await hub.stop();
  }
}

/**
 * All definitions in the order of their installation, where the first one of a name is used: ours of `deploy/`, the
 * published ones if they are there (`../shared/crds` or ARGOCD_FLEET_CRDS), then those of the embedded hub.
 */
export async function hubDefinitions() {
  const published = publishedFolder();
  return [
    ...yamlFiles(join(ROOT, 'deploy'), '.crd.yaml'),
    ...(published ? yamlFiles(published, '.yaml') : []),
    ...(await embeddedDefinitions()),
  ];
}

function isEstablished(definition) {
  return definition.status?.conditions?.some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
}

/** Installs definitions that do not exist yet, and waits until all are established. */
export async function installDefinitions(call, definitions) {
  for (const { source, text, type } of definitions) {
    const { status, body } = await call('POST', CRDS, text, type);
    if (status !== 201 && status !== 409) {
      throw new Error(`The hub refused ${source}: ${status} ${body}`);
    }
  }
  const deadline = Date.now() + ESTABLISHED_TIMEOUT_MS;
  for (;;) {
    const { body } = await call('GET', CRDS);
    const missing = JSON.parse(body).items.filter(item => !isEstablished(item));
    if (missing.length === 0) {
      return;
    }
    if (Date.now() > deadline) {
      throw new Error(
        `Not established within ${ESTABLISHED_TIMEOUT_MS / 1000} s: ${missing
          .map(item => item.metadata.name)
          .join(', ')}`,
      );
    }
    await setTimeout(100);
  }
}
