import { FleetContext } from './hub/hubInformers';
import { isConflict } from './kubernetes/apiError';
import { HubClient } from './kubernetes/client';
import { blankClusterSecret } from './kubernetes/clusterSecret';
import { CLUSTER_SET_LABEL } from './kubernetes/clusterTypes';
import { groupOf, KubeObject, objectKey } from './kubernetes/objects';
import { Resource, seedableResources } from './kubernetes/resources';
import { createReconcileQueue } from './runtime/reconcileQueue';
import { Scenario, ScenarioCluster } from './scenario/schema';

const CONCURRENCY = 8;

/** The hub objects of a scenario in groups: an object depends only on objects of earlier groups. */
export function seedObjects(scenario: Scenario): KubeObject[][] {
  const { argocd, clusters, objects } = scenario;
  const namespaces = new Set([
    argocd.namespace,
    ...argocd.applicationSetNamespaces,
    ...clusters.map(({ name }) => name),
    ...objects.flatMap(({ metadata }) => metadata.namespace ?? []),
  ]);
  return [
    [...namespaces].map(name => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name },
    })),
    clusters.map(managedCluster),
    [
      ...objects,
      ...clusters.map(cluster =>
        blankClusterSecret(
          cluster.name,
          argocd.namespace,
          clusterLabels(cluster),
        ),
      ),
    ],
  ];
}

/** Creates the objects of a scenario that are absent; existing objects stay as they are. */
export async function seedHub(
  client: HubClient,
  scenario: Scenario,
): Promise<void> {
  for (const objects of seedObjects(scenario)) {
    const existing = await existingKeys(client, objects);
    const absent = objects.filter(object => !existing.has(keyOf(object)));
    const workers = Array.from({ length: CONCURRENCY }, async () => {
      for (let next = absent.shift(); next; next = absent.shift()) {
        await createIfAbsent(client, next);
      }
    });
    await Promise.all(workers);
  }
}

/**
 * Seeds the hub now, and again with retries after each reset of the hub.
 *
 * @returns the first seeding, which is not retried
 */
export function startSeeding(
  context: FleetContext & { scenario: Scenario },
): Promise<void> {
  const { client, hub, scenario } = context;
  const queue = createReconcileQueue({
    name: 'Seeding',
    reconcile: () => seedHub(client, scenario),
    ...context,
  });
  hub.onReset(() => queue.add('the scenario'));
  return seedHub(client, scenario);
}

/** Keys of all objects on the hub of the same resources as `desired`. */
async function existingKeys(client: HubClient, desired: readonly KubeObject[]) {
  const resources = new Set(desired.map(resourceOf));
  const keys = new Set<string>();
  for (const resource of resources) {
    const { items } = await client.list(resource);
    items.forEach(item => keys.add(keyOf(item)));
  }
  return keys;
}

function keyOf(object: KubeObject): string {
  return `${groupOf(object.apiVersion)}/${object.kind}/${objectKey(object)}`;
}

async function createIfAbsent(client: HubClient, object: KubeObject) {
  try {
    await client.create(resourceOf(object), object);
  } catch (error) {
    // A conflict: another client created the object after the list.
    if (!isConflict(error)) {
      throw error;
    }
  }
}

function resourceOf({ apiVersion, kind, metadata }: KubeObject): Resource {
  const found = seedableResources.find(
    resource =>
      resource.kind === kind && resource.group === groupOf(apiVersion),
  );
  if (!found) {
    throw new Error(
      `The scenario's object ${kind} ${metadata.name} (${apiVersion}) cannot be seeded. Supported kinds: ${seedableResources
        .map(resource => resource.kind)
        .join(', ')}.`,
    );
  }
  return found;
}

function managedCluster({
  name,
  labels,
  clusterSet,
  leaseDurationSeconds,
}: ScenarioCluster): KubeObject {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name, labels: clusterLabels({ name, labels, clusterSet }) },
    spec: { hubAcceptsClient: true, leaseDurationSeconds },
  };
}

function clusterLabels({
  name,
  labels,
  clusterSet,
}: Pick<ScenarioCluster, 'name' | 'labels' | 'clusterSet'>) {
  return {
    name,
    ...(clusterSet && { [CLUSTER_SET_LABEL]: clusterSet }),
    ...labels,
  };
}
