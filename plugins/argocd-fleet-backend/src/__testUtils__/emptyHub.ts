import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { FLEET_RESOURCES, resourceDefinition } from '../fleet/resources';
import type {
  KubernetesClient,
  ResourceType,
} from '../kubernetes/client/client';
import { isKubernetesError } from '../kubernetes/client/errors';
import { rbacResource } from './deployedRbac';
import { waitFor } from './waitFor';

/** The fields of a custom resource definition that tests read. */
export interface Definition extends KubernetesObject {
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly plural: string; readonly kind: string };
    readonly versions: readonly {
      readonly name: string;
      readonly storage: boolean;
    }[];
  };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
    }[];
  };
}

/** Custom resource definitions. */
export const CRDS = resourceDefinition(FLEET_RESOURCES.works)
  .resource as ResourceType<Definition>;

function rbac(kind: string): ResourceType {
  return rbacResource({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind,
    metadata: { name: '' },
  });
}

/** Resources besides custom resources that only others than the backend use on a hub. */
const OF_OTHERS: readonly ResourceType[] = [
  rbac('ClusterRole'),
  rbac('ClusterRoleBinding'),
  {
    group: 'coordination.k8s.io',
    version: 'v1',
    plural: 'leases',
    kind: 'Lease',
    namespaced: true,
  },
];

/**
 * Resets a hub to its state before the first test: the same definitions, and no object of a test. Namespaces stay: to
 * delete one takes Kubernetes seconds.
 * @param definitionsPath - where the first test stores the definitions that exist, for all other tests
 * @param more - resources of which the tests make objects too
 */
export async function emptyHub(
  client: KubernetesClient,
  definitionsPath: string,
  more: readonly ResourceType[] = [],
): Promise<void> {
  if (!existsSync(definitionsPath)) {
    const { items } = await client.list(CRDS);
    await writeFile(definitionsPath, JSON.stringify(items));
  }
  const definitions: readonly Definition[] = JSON.parse(
    await readFile(definitionsPath, 'utf8'),
  );
  const resources = [
    ...(Object.values(FLEET_RESOURCES) as ResourceType[]).filter(isBuiltIn),
    ...OF_OTHERS,
    ...more,
    ...definitions.map(definedResource),
  ];
  await waitFor(async () => {
    const { items } = await client.list(CRDS);
    const restored = await restoreDefinitions(client, definitions, items);
    const counts = await Promise.all(
      resources.map(resource => removeAll(client, resource)),
    );
    return restored && counts.every(count => count === 0);
  });
}

/** Whether every API server serves the resource. */
function isBuiltIn({ group }: ResourceType): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io');
}

/** Resolves with whether nothing had to be restored. */
async function restoreDefinitions(
  client: KubernetesClient,
  definitions: readonly Definition[],
  now: readonly Definition[],
): Promise<boolean> {
  const nameOf = ({ metadata }: Definition) => metadata.name;
  const wanted = new Set(definitions.map(nameOf));
  const added = now.filter(definition => !wanted.has(nameOf(definition)));
  const byName = new Map(now.map(item => [nameOf(item), item]));
  const restored = await Promise.all([
    ...added.map(definition => removeDefinition(client, definition)),
    ...definitions.map(definition =>
      restoreDefinition(client, definition, byName.get(nameOf(definition))),
    ),
  ]);
  return restored.every(Boolean);
}

/** Resolves with false: the caller has to check again whether it is gone. */
async function removeDefinition(
  client: KubernetesClient,
  { metadata: { name, uid = '', deletionTimestamp } }: Definition,
): Promise<boolean> {
  if (!deletionTimestamp) {
    await client.delete(CRDS, { name }, { uid });
  }
  return false;
}

/** Resolves with whether nothing had to be restored. */
async function restoreDefinition(
  client: KubernetesClient,
  { apiVersion, kind, metadata, spec }: Definition,
  now: Definition | undefined,
): Promise<boolean> {
  const { name, labels, annotations } = metadata;
  if (!now) {
    await client.create(CRDS, {
      apiVersion,
      kind,
      metadata: { name, labels, annotations },
      spec,
    } as KubernetesObject);
    return false;
  }
  if (!isDeepStrictEqual(now.spec, spec)) {
    // Not every change can be reverted: a version in which objects were stored has to stay.
    return removeDefinition(client, now);
  }
  return (
    !now.metadata.deletionTimestamp &&
    now.status?.conditions?.some(
      ({ type, status }) => type === 'Established' && status === 'True',
    ) === true
  );
}

function definedResource({ spec }: Definition): ResourceType {
  const { group, names, scope, versions } = spec;
  return {
    group,
    ...names,
    version: versions.find(({ storage }) => storage)?.name ?? '',
    namespaced: scope === 'Namespaced',
  };
}

/** Resolves with how many there were; Kubernetes' own objects stay. */
async function removeAll(
  client: KubernetesClient,
  resource: ResourceType,
): Promise<number> {
  const { items } = await client.list(resource);
  const ours = items.filter(
    ({ metadata }) =>
      !metadata.namespace?.startsWith('kube-') &&
      !metadata.labels?.['kubernetes.io/bootstrapping'],
  );
  await Promise.all(ours.map(object => remove(client, resource, object)));
  return ours.length;
}

async function remove(
  client: KubernetesClient,
  resource: ResourceType,
  { metadata }: KubernetesObject,
) {
  const { namespace, name, uid = '', finalizers = [] } = metadata;
  try {
    if (finalizers.length > 0) {
      const patch = { metadata: { finalizers: [] } };
      await client.patch(resource, { namespace, name }, patch);
    }
    await client.delete(resource, { namespace, name }, { uid });
  } catch (error) {
    // Another client was faster, such as Kubernetes' garbage collector.
    if (
      !isKubernetesError(error, 'notFound') &&
      !isKubernetesError(error, 'conflict')
    ) {
      throw error;
    }
  }
}
