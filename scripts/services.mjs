// The services that `npm start`, `npm run hub` and the browser tests start: embedded hub, simulated fleet, backend.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './paths.mjs';
import { startService } from './running.mjs';

/** Configures whom the guest provider signs in. */
const SIGNED_IN_USER = 'APP_CONFIG_auth_providers_guest_userEntityRef';

/** Rejects with an error that says what to do if a port cannot be used. */
export async function assertPortFree(port, option) {
  await new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', error =>
      reject(
        new Error(
          error.code === 'EADDRINUSE'
            ? `Port ${port} is in use. Stop the program that uses it, or choose another port with \`-- ${option} N\`.`
            : `Port ${port} cannot be used: ${error.message}. Choose another port with \`-- ${option} N\`.`,
        ),
      ),
    );
    server.listen(port, '127.0.0.1', () => server.close(resolve));
  });
}

/** A free port. */
export async function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Waits until a service answers on `url`; rejects if the service ends first, or after the timeout. */
export async function waitUntilServing(service, url, timeoutMs) {
  const deadline = Date.now() + timeoutMs;
  let end;
  service.ended.then(reason => {
    end = reason;
  });
  for (;;) {
    if (end !== undefined) {
      throw new Error(
        `The ${service.name} ended (${end}) before it was ready:\n${service.output().slice(-3000)}`,
      );
    }
    let problem;
    try {
      const response = await fetch(url, {
        signal: AbortSignal.timeout(5_000),
      });
      if (response.ok) {
        return;
      }
      problem = `status ${response.status}`;
    } catch (error) {
      problem = error.cause?.message ?? error.message;
    }
    if (Date.now() > deadline) {
      await service.stop();
      throw new Error(
        `The ${service.name} did not answer on ${url} within ${timeoutMs / 1000} s (${problem}):\n${service.output().slice(-3000)}`,
      );
    }
    await setTimeout(200);
  }
}

/** Installs the custom resource definitions of `deploy/`, as a hub administrator would. */
async function applyDefinitions(hubUrl) {
  const { parse } = await import('yaml');
  const folder = join(ROOT, 'deploy');
  for (const file of readdirSync(folder)) {
    if (file.endsWith('.crd.yaml')) {
      const response = await fetch(
        `${hubUrl}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`,
        {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(parse(readFileSync(join(folder, file), 'utf8'))),
        },
      );
      if (!response.ok) {
        throw new Error(
          `The hub refused deploy/${file}: ${await response.text()}`,
        );
      }
    }
  }
}

/** Starts the embedded hub; without `definitions`, as a hub on which nobody has applied `deploy/` yet. */
export async function startHub({ port, kubeconfig, echo, definitions = true }) {
  const service = startService(
    'hub',
    'packages/embedded-hub/src/main.ts',
    ['--port', String(port), '--kubeconfig', kubeconfig],
    // On an idle hub with a large fleet, V8's memory reducer would block the event loop for half a second.
    { echo, nodeOptions: ['--no-memory-reducer'] },
  );
  const url = `http://127.0.0.1:${port}`;
  await waitUntilServing(service, `${url}/readyz`, 60_000);
  if (definitions) {
    await applyDefinitions(url);
  }
  return { ...service, url };
}

/**
 * The Git server of the fleet: its port, the password for pushes, and the folder of its repositories. Undefined where this
 * machine has no git: everything but the template that makes a repository works without.
 */
export async function gitServerOf({ port, kubeconfig }) {
  if (spawnSync('git', ['--version']).error) {
    console.warn(
      'There is no git on this machine: the template "New pull-model application" has no Git server to publish to.',
    );
    return undefined;
  }
  const folder = join(dirname(kubeconfig), 'git');
  // A new hub knows nothing of the applications whose repositories an earlier start made.
  await rm(folder, { recursive: true, force: true });
  return { port, folder, host: `127.0.0.1:${port}`, password: randomUUID() };
}

/** @param git - of {@link gitServerOf}; without it the fleet has no Git server */
export function startFleet({ kubeconfig, scenario, speed, git, echo }) {
  if (!existsSync(kubeconfig)) {
    throw new Error(
      `There is no kubeconfig at ${kubeconfig}. Name your hub's kubeconfig with \`-- --kubeconfig FILE\`, or start the embedded hub with \`npm run hub\`.`,
    );
  }
  return startService(
    'fleet',
    'packages/simulated-fleet/src/main.ts',
    [
      ...['--kubeconfig', kubeconfig],
      ...(scenario ? ['--scenario', scenario] : []),
      ...(speed ? ['--speed', speed] : []),
      ...(git ? ['--git-folder', git.folder, '--git-port', git.port] : []),
    ].map(String),
    { echo, env: git && { ARGOCD_FLEET_GIT_PASSWORD: git.password } },
  );
}

/**
 * Starts the backend, and waits until its catalog has the user who is signed in; `mode` replaces the configured mode of
 * propagation and aggregation; `git` is that of the fleet.
 */
export async function startBackend({
  port,
  kubeconfig,
  mode,
  user = process.env[SIGNED_IN_USER] ?? 'user:development/guest',
  git,
  echo,
}) {
  const url = `http://localhost:${port}`;
  const token = randomUUID();
  const service = startService(
    'backend',
    'packages/backend/src/index.ts',
    ['--config', join(ROOT, 'app-config.yaml')],
    {
      echo,
      // Paths in app-config.yaml are relative to the backend's folder.
      cwd: join(ROOT, 'packages', 'backend'),
      env: {
        NODE_ENV: 'development',
        ARGOCD_FLEET_KUBECONFIG: kubeconfig,
        APP_CONFIG_app_baseUrl: JSON.stringify(url),
        APP_CONFIG_backend_baseUrl: JSON.stringify(url),
        APP_CONFIG_backend_cors_origin: JSON.stringify(url),
        APP_CONFIG_backend_listen_port: String(port),
        APP_CONFIG_backend_auth_externalAccess: JSON.stringify([
          { type: 'static', options: { token, subject: 'start' } },
        ]),
        [SIGNED_IN_USER]: user,
        ...(git && {
          ARGOCD_FLEET_GIT_HOST: git.host,
          ARGOCD_FLEET_GIT_PASSWORD: git.password,
        }),
        ...(mode && {
          APP_CONFIG_argocdFleet_controllers_propagation_mode: mode,
          APP_CONFIG_argocdFleet_controllers_aggregation_mode: mode,
        }),
      },
    },
  );
  await waitUntilServing(
    service,
    `${url}/.backstage/health/v1/readiness`,
    120_000,
  );
  const backend = { ...service, url, token };
  // Who signs in before has no groups for an hour, and so sees next to nothing.
  await untilInCatalog(backend, user.replace(':', '/'));
  return backend;
}

/**
 * Waits until the catalog has an entity, so that the first page that people open does not say it is missing.
 * @param backend - with a token that the policy does not restrict; without one, the guest has to see the entity
 */
export async function untilInCatalog(backend, entity, timeoutMs = 60_000) {
  const deadline = Date.now() + timeoutMs;
  const token = backend.token ?? (await guestToken(backend));
  const url = `${backend.url}/api/catalog/entities/by-name/${entity}`;
  for (;;) {
    const response = await fetch(url, {
      headers: { Authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(10_000),
    });
    if (response.ok) {
      return;
    }
    if (Date.now() > deadline) {
      throw new Error(
        `${entity} did not appear in the catalog within ${timeoutMs / 1000} s:\n${backend.output().slice(-3000)}`,
      );
    }
    await setTimeout(200);
  }
}

async function guestToken({ url }) {
  const guest = await fetch(`${url}/api/auth/guest/refresh`, {
    method: 'POST',
    signal: AbortSignal.timeout(10_000),
  });
  if (!guest.ok) {
    throw new Error(
      `The guest cannot sign in to the portal: ${guest.status} ${await guest.text()}`,
    );
  }
  return (await guest.json()).backstageIdentity.token;
}

/** As `echo` of a service: shows only its warnings and errors. */
export function warningsAndErrors(text) {
  // Colours would be part of the words.
  return /\b(warn|error)\b/i.test(stripVTControlCharacters(text));
}
