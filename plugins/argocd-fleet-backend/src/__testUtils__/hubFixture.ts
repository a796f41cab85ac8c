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
import { findObject } from '../kubernetes/client/findObject';
import { createHttpClient } from '../kubernetes/client/httpClient';
import {
  applyRbac,
  deployedRbacWriting,
  type RbacObject,
} from './deployedRbac';
import { CRDS } from './emptyHub';
import {
  BACKEND,
  startEmbeddedServer,
  type HubServer,
  type HubUsers,
} from './hubServer';
import {
  boundSet,
  controlledBy,
  GLOBAL_SET,
  namespace as namespaceNamed,
  NAMESPACE,
  placement,
  decisionStatus,
  managedCluster,
  placementDecision,
} from './objects';
import { realServer, useRealServer } from './realServer';
import { waitFor } from './waitFor';

export { CRDS };

/** Requests of the tests to a hub, as another user than the backend. */
export interface AdminClient {
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

/** A hub, with its kubeconfigs in a folder of its own. */
export interface TestHub {
  readonly hub: HubServer;
  /** For the backend, with the rights of `deploy/rbac` and no others. */
  readonly kubeconfigPath: string;
  /** For all others, with every right. */
  readonly adminKubeconfigPath: string;
  readonly admin: AdminClient;
  /** Writes of the backend since the last call of `clearRequests`. */
  writes(): string[];
  clearRequests(): void;
  /** Patches a status, as the object's own controller does. */
  patchStatus(
    name: FleetResource,
    object: ObjectName,
    status: unknown,
  ): Promise<void>;
  /** Creates these namespaces where they do not exist; a real hub has those of earlier tests. */
  provideNamespaces(...names: string[]): Promise<void>;
  /** Creates the definition where none of that name exists. */
  provideCrd(crd: KubernetesObject): Promise<void>;
  /** Resolves when the definition is gone. */
  removeCrd(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** Whether the hub of this run collects garbage; a real hub with only an API server does not. */
export const HAS_GARBAGE_COLLECTOR =
  process.env.ARGOCD_FLEET_TEST_HUB_CONTROLLERS !== 'none';

/** For tests of what Kubernetes' garbage collector does: without one they would wait in vain, so they are skipped. */
export const describeGarbageCollected = HAS_GARBAGE_COLLECTOR
  ? describe
  : describe.skip;

const WRITES = ['create', 'patch', 'update', 'delete', 'deletecollection'];

/** Open Cluster Management puts no more clusters into one decision. */
const CLUSTERS_OF_A_DECISION = 100;

export const NAMESPACES: ResourceType = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
};

/** The definition of the report, as an administrator applies it. */
export async function readReportCrd(): Promise<KubernetesObject> {
  const path = '../../../../deploy/multiclusterapplicationsetreports.crd.yaml';
  return parse(await readFile(resolve(__dirname, path), 'utf8'));
}

/**
 * Starts a hub with nothing but the manifests of `deploy/` applied: an embedded hub, or the real server that the
 * environment names, emptied first.
 * @param options.rbac - applied instead of all of `deploy/rbac`
 * @param options.users - who use the hub besides an administrator and the backend
 */
export async function startTestHub(
  options: {
    readonly rbac?: readonly RbacObject[];
    readonly users?: HubUsers;
  } = {},
): Promise<TestHub> {
  const folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-hub-'));
  const kubeconfigPath = join(folder, 'kubeconfig');
  const adminKubeconfigPath = join(folder, 'admin.kubeconfig');
  const real = realServer();
  const hub = await (real
    ? useRealServer(real, options.users)
    : startEmbeddedServer(options.users));
  await writeFile(kubeconfigPath, hub.kubeconfig('backend'));
  await writeFile(adminKubeconfigPath, hub.kubeconfig('admin'));
  const client = clientOf(adminKubeconfigPath);
  await hub.empty(client);
  await provide(client, CRDS, await readReportCrd());
  const rbac = options.rbac ?? deployedRbacWriting(NAMESPACE);
  for (const { kind, metadata } of rbac) {
    if (kind === 'Role') {
      await provide(
        client,
        NAMESPACES,
        namespaceNamed(metadata.namespace ?? ''),
      );
    }
  }
  await applyRbac(client, rbac);
  const backend = clientOf(kubeconfigPath);
  await hub.untilInForce(backend, rbac);
  await backend.close();
  return {
    hub,
    kubeconfigPath,
    adminKubeconfigPath,
    admin: adminClientWith(client),
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

/** A client with the user of a kubeconfig, and another field manager than the backend. */
export function clientOf(path: string): KubernetesClient {
  return createHttpClient({
    server: 'hub "test"',
    connector: createConnector({
      server: 'hub "test"',
      access: { kubeconfig: { path } },
    }),
    fieldManager: 'test-user',
    // The first request of a test has a busy machine to wait for: modules are still compiled.
    requestTimeoutMs: 60_000,
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

/** Requests through that client. */
export function adminClientWith(client: KubernetesClient): AdminClient {
  async function get<Name extends FleetResource>(
    name: Name,
    object: ObjectName,
  ): Promise<FleetObject<Name> | undefined> {
    const resource = FLEET_RESOURCES[name] as ResourceType;
    return (await findObject(client, resource, object)) as
      FleetObject<Name> | undefined;
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

/** Creates managed clusters with their namespaces, and decides that Applications of the test's namespace go to them. */
export async function provideDecidedClusters(
  testHub: TestHub,
  names: readonly string[],
): Promise<void> {
  const { admin } = testHub;
  await testHub.provideNamespaces(NAMESPACE, ...names);
  await Promise.all(
    names.map(name => admin.create('clusters', managedCluster(name))),
  );
  for (let from = 0; from < names.length; from += CLUSTERS_OF_A_DECISION) {
    const number = 1 + from / CLUSTERS_OF_A_DECISION;
    await provideDecision(admin, 'all', NAMESPACE, number);
    await testHub.patchStatus(
      'decisions',
      placementDecision('all', NAMESPACE, number).metadata,
      decisionStatus(names.slice(from, from + CLUSTERS_OF_A_DECISION)),
    );
  }
}

/**
 * Creates a decision as Open Cluster Management does, for the Placement of that name; where they do not exist, also the
 * Placement, and the set of all clusters with its binding. The decision selects no cluster yet.
 */
export async function provideDecision(
  { client, create, get }: AdminClient,
  name = 'all',
  ns = NAMESPACE,
  number = 1,
): Promise<void> {
  await provide(client, FLEET_RESOURCES.clusterSets, GLOBAL_SET);
  await provide(
    client,
    FLEET_RESOURCES.clusterSetBindings,
    boundSet(GLOBAL_SET.metadata.name, ns),
  );
  await provide(client, FLEET_RESOURCES.placements, placement(name, ns));
  const owner = await get('placements', { namespace: ns, name });
  const { metadata, ...rest } = placementDecision(name, ns, number);
  await create('decisions', {
    ...rest,
    metadata: { ...metadata, ownerReferences: [controlledBy(owner!)] },
  });
}
