import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { startEmbeddedHub, type EmbeddedHub } from 'embedded-hub';
import { parse } from 'yaml';
import {
  createHttpHubClient,
  createHubConnector,
  HUB_RESOURCES,
  isHubError,
  type HubClient,
  type HubObject,
  type HubResource,
  type HubResourceName,
  type ObjectName,
} from '../hub';

/** What the tests do on a hub as somebody else than the backend. */
export interface Somebody {
  readonly client: HubClient;
  create(name: HubResourceName, object: KubernetesObject): Promise<void>;
  get<Name extends HubResourceName>(
    name: Name,
    object: ObjectName,
  ): Promise<HubObject<Name> | undefined>;
  list<Name extends HubResourceName>(
    name: Name,
  ): Promise<readonly HubObject<Name>[]>;
  patch(
    name: HubResourceName,
    object: ObjectName,
    patch: Readonly<Record<string, unknown>>,
  ): Promise<void>;
  delete(name: HubResourceName, object: ObjectName): Promise<void>;
}

/** An embedded hub with its kubeconfig in a folder of its own. */
export interface TestHub {
  readonly hub: EmbeddedHub;
  readonly kubeconfigPath: string;
  readonly somebody: Somebody;
  /** Writes that the backend made since the last call of `clearRequests`. */
  writes(): string[];
  clearRequests(): void;
  /** Writes a status, as the object's own controller does. */
  patchStatus(
    name: HubResourceName,
    object: ObjectName,
    status: unknown,
  ): Promise<void>;
  removeCrd(name: string): Promise<void>;
  stop(): Promise<void>;
}

const WRITES = ['create', 'patch', 'update', 'delete', 'deletecollection'];

/** Field manager, and so user agent, of the backend. */
const BACKEND = 'argocd-fleet';

/** Definitions of resources; they are objects like all others. */
export const CRDS: HubResource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};

export const NAMESPACES: HubResource = {
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

/** Starts a hub that has the report's definition, and nothing else that it would not have by itself. */
export async function startTestHub(): Promise<TestHub> {
  const folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-hub-'));
  const kubeconfigPath = join(folder, 'kubeconfig');
  const hub = await startEmbeddedHub({ port: 0, kubeconfigPath });
  const client = createHttpHubClient({
    hub: 'test',
    connector: createHubConnector({
      hub: 'test',
      access: { kubeconfig: { path: kubeconfigPath } },
    }),
    fieldManager: 'somebody',
  });
  await client.create(CRDS, await readReportCrd());
  return {
    hub,
    kubeconfigPath,
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
      const { group, version, plural } = HUB_RESOURCES[name];
      const response = await fetch(
        `${hub.url}/apis/${group}/${version}/namespaces/${object.namespace}/${plural}/${object.name}/status`,
        {
          method: 'PATCH',
          headers: { 'content-type': 'application/merge-patch+json' },
          body: JSON.stringify({ status }),
        },
      );
      if (!response.ok) {
        throw new Error(await response.text());
      }
    },
    async removeCrd(name) {
      const { metadata } = await client.get(CRDS, { name });
      await client.delete(CRDS, { name }, { uid: metadata.uid ?? '' });
    },
    async stop() {
      await client.close();
      await hub.stop();
      await rm(folder, { recursive: true });
    },
  };
}

function somebodyWith(client: HubClient): Somebody {
  async function get<Name extends HubResourceName>(
    name: Name,
    object: ObjectName,
  ): Promise<HubObject<Name> | undefined> {
    try {
      const resource = HUB_RESOURCES[name] as HubResource;
      return (await client.get(resource, object)) as HubObject<Name>;
    } catch (error) {
      if (isHubError(error, 'notFound')) {
        return undefined;
      }
      throw error;
    }
  }
  return {
    client,
    get,
    async create(name, object) {
      await client.create(HUB_RESOURCES[name] as HubResource, object);
    },
    async list<Name extends HubResourceName>(name: Name) {
      const resource = HUB_RESOURCES[name] as HubResource;
      const { items } = await client.list(resource);
      return items as readonly HubObject<Name>[];
    },
    async patch(name, object, patch) {
      await client.patch(HUB_RESOURCES[name] as HubResource, object, patch);
    },
    async delete(name, object) {
      const existing = await get(name, object);
      await client.delete(HUB_RESOURCES[name] as HubResource, object, {
        uid: existing?.metadata.uid ?? '',
      });
    },
  };
}
