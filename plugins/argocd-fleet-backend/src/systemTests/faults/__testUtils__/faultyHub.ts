import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ManifestWork } from 'backstage-plugin-argocd-fleet-common';
import {
  startEmbeddedHub,
  type EmbeddedHub,
  type EmbeddedHubOptions,
  type RequestLogEntry,
} from 'embedded-hub';
import { startHubFaults, type HubFaults } from 'hub-faults';
import {
  applyRbac,
  BACKEND_USER,
  deployedRbac,
} from '../../../__testUtils__/deployedRbac';
import { CRDS } from '../../../__testUtils__/emptyHub';
import {
  clientOf,
  readReportCrd,
  adminClientWith,
  type AdminClient,
} from '../../../__testUtils__/hubFixture';
import { BACKEND } from '../../../__testUtils__/hubServer';
import { FLEET_RESOURCES, type FleetResource } from '../../../fleet/resources';
import type {
  ResourceType,
  ObjectName,
} from '../../../kubernetes/client/client';

/** A hub that the backend reaches only through a proxy that injects faults. */
export interface FaultyHub {
  readonly faults: HubFaults;
  /** Connects through the proxy as the backend's user, with the rights of `deploy/rbac`. */
  readonly kubeconfigPath: string;
  /** Connects to the hub without the proxy: faults concern the backend only. */
  readonly admin: AdminClient;
  patchStatus(
    name: FleetResource,
    object: ObjectName,
    status: unknown,
  ): Promise<void>;
  /** Sends a request that the typed client has no method for, without the proxy. @throws Error on an error response */
  sendAsAdmin(
    method: 'POST' | 'DELETE',
    path: string,
    body: object,
  ): Promise<void>;
  /** Every request of the backend, including those before restarts. */
  backendRequests(): RequestLogEntry[];
  /** `<cluster> <Application>` of every work that the backend deleted: sorted, without duplicates. */
  deletedWorks(): string[];
  works(): Promise<readonly ManifestWork[]>;
  /** Saves the hub's state, as an administrator backs up etcd. Returns the file, which `stop` deletes. */
  backUp(): Promise<string>;
  /** Stops the API server and starts it at the same port with its latest state, its last backup or no objects. */
  restart(state: 'kept' | 'backedUp' | 'lost'): Promise<void>;
  stop(): Promise<void>;
}

const ADMIN_TOKEN = 'admin';
const BACKEND_TOKEN = 'backend';

/** Whether a request changes the hub. */
export function isWrite({ verb }: Pick<RequestLogEntry, 'verb'>): boolean {
  return !['get', 'list', 'watch'].includes(verb);
}

/**
 * Starts a hub with what an administrator applies of `deploy/`, and the proxy in front of it.
 * @param options.snapshot - a file of `backUp` with the whole state, or objects to add
 */
export async function startFaultyHub(
  options: Pick<EmbeddedHubOptions, 'snapshot'> = {},
): Promise<FaultyHub> {
  const folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-faults-'));
  const hubs: EmbeddedHub[] = [];

  async function start(more: EmbeddedHubOptions): Promise<EmbeddedHub> {
    const hub = await startEmbeddedHub({
      authorization: {
        tokens: {
          [ADMIN_TOKEN]: { name: 'admin', groups: ['system:masters'] },
          [BACKEND_TOKEN]: { name: BACKEND_USER },
        },
      },
      ...more,
    });
    hubs.push(hub);
    return hub;
  }

  const hub = await start(options);
  const snapshot = join(folder, 'snapshot');
  const kubeconfigPath = join(folder, 'kubeconfig');
  const adminKubeconfigPath = join(folder, 'admin.kubeconfig');
  await writeFile(adminKubeconfigPath, hub.kubeconfig(ADMIN_TOKEN));
  const client = clientOf(adminKubeconfigPath);
  const faults = await startHubFaults({
    target: { kubeconfig: hub.kubeconfig(BACKEND_TOKEN) },
    kubeconfigPath,
  });
  const admin = adminClientWith(client);

  async function backUp() {
    await hubs.at(-1)!.saveSnapshot(snapshot);
    return snapshot;
  }

  async function applyDeployment() {
    await client.create(CRDS, await readReportCrd());
    await applyRbac(client, deployedRbac());
  }

  function backendRequests() {
    return hubs
      .flatMap(({ requests }) => requests)
      .filter(({ userAgent }) => userAgent === BACKEND);
  }

  if (typeof options.snapshot !== 'string') {
    await applyDeployment();
  }
  return {
    faults,
    kubeconfigPath,
    admin,
    async patchStatus(name, object, status) {
      await client.patch(
        FLEET_RESOURCES[name] as ResourceType,
        object,
        { status },
        { subresource: 'status' },
      );
    },
    async sendAsAdmin(method, path, body) {
      const response = await fetch(`${hub.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${ADMIN_TOKEN}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      if (!response.ok) {
        throw new Error(
          `${method} ${path}: ${response.status} ${await response.text()}`,
        );
      }
    },
    backendRequests,
    deletedWorks() {
      const labels = backendRequests()
        .filter(
          ({ verb, resource, status }) =>
            verb.startsWith('delete') &&
            resource === 'manifestworks' &&
            status < 300,
        )
        // The name ends with the first five characters of the Application's UID.
        .map(({ namespace, name }) => `${namespace} ${name?.slice(0, -6)}`);
      return [...new Set(labels)].sort();
    },
    works: () => admin.list('works'),
    backUp,
    async restart(state) {
      // No request passes from here on, so the backup is the hub's last state.
      await faults.down();
      if (state === 'kept') {
        await backUp();
      }
      await hubs.at(-1)!.stop();
      await start({
        port: Number(new URL(hub.url).port),
        ...(state !== 'lost' && { snapshot }),
      });
      if (state === 'lost') {
        await applyDeployment();
      }
      await faults.up();
    },
    async stop() {
      await faults.stop();
      await client.close();
      await hubs.at(-1)!.stop();
      await rm(folder, { recursive: true });
    },
  };
}
