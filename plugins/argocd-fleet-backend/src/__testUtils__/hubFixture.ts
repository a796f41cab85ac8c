import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { parse } from 'yaml';
import {
  FLEET_RESOURCES,
  type FleetObject,
  type FleetResource,
} from '../fleet/resources';
import type {
  KubernetesClient,
  ResourceType,
  ObjectName,
} from '../kubernetes/client/client';
import { createConnector } from '../kubernetes/client/connection';
import { isKubernetesError } from '../kubernetes/client/errors';
import { createHttpClient } from '../kubernetes/client/httpClient';
import { applyRbac, deployedRbac, type RbacObject } from './deployedRbac';
import { CRDS } from './emptyHub';
import { BACKEND, startEmbeddedServer, type HubServer } from './hubServer';
import { namespace as namespaceNamed } from './objects';
import { realServer, useRealServer } from './realServer';
import { waitFor } from './waitFor';

export { CRDS };

/** What the tests do on a hub as somebody else than the backend. */
export interface Somebody {
  readonly client: KubernetesClient;
  create(name: FleetResource, object: KubernetesObject): Promise<void>;
  get<Name extends FleetResource>(
    name: Name,
    object: ObjectName,
  ): Promise<FleetObject<Name> | undefined>;
  list<Name extends FleetResource>(
    name: Name,
  ): Promise<readonly FleetObject<Name>[]>;
  patch(
    name: FleetResource,
    object: ObjectName,
    patch: Readonly<Record<string, unknown>>,
  ): Promise<void>;
  delete(name: FleetResource, object: ObjectName): Promise<void>;
}

/** A hub with its kubeconfigs in a folder of their own. */
export interface TestHub {
  readonly hub: HubServer;
  /** For the backend, which has the rights of `deploy/rbac` and no others. */
  readonly kubeconfigPath: string;
  /** For everybody else, who may do everything. */
  readonly adminKubeconfigPath: string;
  readonly somebody: Somebody;
  /** Writes that the backend made since the last call of `clearRequests`. */
  writes(): string[];
  clearRequests(): void;
  /** Writes a status, as the object's own controller does. */
  patchStatus(
    name: FleetResource,
    object: ObjectName,
    status: unknown,
  ): Promise<void>;
  /** Sees to it that these namespaces are there; a real hub has those of earlier tests. */
  provideNamespaces(...names: string[]): Promise<void>;
  /** Sees to it that there is a definition of that name. */
  provideCrd(crd: KubernetesObject): Promise<void>;
  /** Resolves when nothing of it is left. */
  removeCrd(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** For tests of what needs Kubernetes' garbage collector; skips them on a real hub that has only an API server. */
export const describeGarbageCollected =
  process.env.ARGOCD_FLEET_TEST_HUB_CONTROLLERS === 'none'
    ? describe.skip
    : describe;

const WRITES = ['create', 'patch', 'update', 'delete', 'deletecollection'];

export const NAMESPACES: ResourceType = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
};

/** The report's definition, as an administrator applies it. */
export async function readReportCrd(): Promise<KubernetesObject> {
  const path = '../../../../deploy/multiclusterapplicationsetreports.crd.yaml';
  return parse(await readFile(resolve(__dirname, path), 'utf8'));
}

/**
 * Starts a hub that has what an administrator applies of `deploy/`, and nothing else that it would not have by itself: an embedded one,
 * or, where the environment names a real server, that one emptied.
 * @param options.rbac - what is applied instead of all of `deploy/rbac`
 */
export async function startTestHub(
  options: { readonly rbac?: readonly RbacObject[] } = {},
): Promise<TestHub> {
  const folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-hub-'));
  const kubeconfigPath = join(folder, 'kubeconfig');
  const adminKubeconfigPath = join(folder, 'admin.kubeconfig');
  const real = realServer();
  const hub = await (real ? useRealServer(real) : startEmbeddedServer());
  await writeFile(kubeconfigPath, hub.kubeconfig('backend'));
  await writeFile(adminKubeconfigPath, hub.kubeconfig('admin'));
  const client = clientOf(adminKubeconfigPath);
  await hub.empty(client);
  await provide(client, CRDS, await readReportCrd());
  const rbac = options.rbac ?? deployedRbac();
  await applyRbac(client, rbac);
  const backend = clientOf(kubeconfigPath);
  await hub.untilInForce(backend, rbac);
  await backend.close();
  return {
    hub,
    kubeconfigPath,
    adminKubeconfigPath,
    somebody: somebodyWith(client),
    writes: () =>
      hub.requests
        .filter(
          ({ userAgent, verb }) =>
            userAgent === BACKEND && WRITES.includes(verb),
        )
        .map(({ verb, resource, namespace, name }) =>
          [verb, resource, namespace, name].filter(Boolean).join(' '),
        ),
    clearRequests: () => hub.clearRequests(),
    async patchStatus(name, object, status) {
      await client.patch(
        FLEET_RESOURCES[name] as ResourceType,
        { namespace: object.namespace, name: object.name },
        { status },
        { subresource: 'status' },
      );
    },
    async provideNamespaces(...names) {
      await Promise.all(
        names.map(name => provide(client, NAMESPACES, namespaceNamed(name))),
      );
    },
    provideCrd: crd => provide(client, CRDS, crd),
    async removeCrd(name) {
      const { metadata } = await client.get(CRDS, { name });
      await client.delete(CRDS, { name }, { uid: metadata.uid ?? '' });
      await waitFor(async () => {
        const { items } = await client.list(CRDS);
        return items.every(item => item.metadata.name !== name);
      });
    },
    async stop() {
      await client.close();
      await hub.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** A client for the user of a kubeconfig, who is no backend. */
export function clientOf(path: string): KubernetesClient {
  return createHttpClient({
    hub: 'test',
    connector: createConnector({
      hub: 'test',
      access: { kubeconfig: { path } },
    }),
    fieldManager: 'somebody',
  });
}

async function provide(
  client: KubernetesClient,
  resource: ResourceType,
  object: KubernetesObject,
) {
  await client.create(resource, object).catch(error => {
    if (!isKubernetesError(error, 'alreadyExists')) {
      throw error;
    }
  });
}

/** Acts with that client. */
export function somebodyWith(client: KubernetesClient): Somebody {
  async function get<Name extends FleetResource>(
    name: Name,
    object: ObjectName,
  ): Promise<FleetObject<Name> | undefined> {
    try {
      const resource = FLEET_RESOURCES[name] as ResourceType;
      return (await client.get(resource, object)) as FleetObject<Name>;
    } catch (error) {
      if (isKubernetesError(error, 'notFound')) {
        return undefined;
      }
      throw error;
    }
  }
  return {
    client,
    get,
    async create(name, object) {
      await client.create(FLEET_RESOURCES[name] as ResourceType, object);
    },
    async list<Name extends FleetResource>(name: Name) {
      const resource = FLEET_RESOURCES[name] as ResourceType;
      const { items } = await client.list(resource);
      return items as readonly FleetObject<Name>[];
    },
    async patch(name, object, patch) {
      await client.patch(FLEET_RESOURCES[name] as ResourceType, object, patch);
    },
    async delete(name, object) {
      const existing = await get(name, object);
      await client.delete(FLEET_RESOURCES[name] as ResourceType, object, {
        uid: existing?.metadata.uid ?? '',
      });
    },
  };
}
