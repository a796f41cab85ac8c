// The custom resource definitions that a hub for Argo CD Fleet has.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../paths.mjs';
import { startService } from '../running.mjs';
import { freePort } from '../services.mjs';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const ESTABLISHED_TIMEOUT_MS = 30_000;

/** Where the published definitions are; nothing where they are not there. */
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

/** The definitions that the embedded hub starts with, for those that are published nowhere here. */
async function embeddedDefinitions() {
  const port = await freePort();
  const hub = startService(
    'embedded hub',
    'packages/embedded-hub/src/main.ts',
    ['--port', String(port)],
  );
  try {
    const list = await untilAnswered(hub, `http://127.0.0.1:${port}${CRDS}`);
    return list.items.map(({ apiVersion, kind, metadata, spec }) => ({
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

async function untilAnswered(service, url) {
  let end;
  service.ended.then(reason => {
    end = reason;
  });
  for (;;) {
    try {
      const response = await fetch(url);
      return await response.json();
    } catch (error) {
      if (end !== undefined) {
        throw new Error(
          `The ${service.name} ended (${end}) before it answered on ${url} (${error.message}):\n${service.output().slice(-3000)}`,
        );
      }
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  }
}

/**
 * All definitions, first come first installed: our own from `deploy/`, the published ones where they are
 * (`../shared/crds` or ARGOCD_FLEET_CRDS), then what the embedded hub has beyond those.
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

/** Installs definitions and waits until they are served; one that is there already stays as it is. */
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
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}
