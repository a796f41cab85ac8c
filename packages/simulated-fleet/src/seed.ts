import { FleetContext } from './hubView';
import { isConflict } from './kubernetes/apiError';
import { HubClient } from './kubernetes/client';
import { Secret } from './kubernetes/coreTypes';
import { groupOf, KubeObject, objectKey } from './kubernetes/objects';
import { Resource, seedableResources } from './kubernetes/resources';
import { createReconcileQueue } from './runtime/reconcileQueue';
import { Scenario, ScenarioCluster } from './scenario/schema';

const CONCURRENCY = 8;
const CLUSTER_SET_LABEL = 'cluster.open-cluster-management.io/clusterset';

/** Every object that a scenario wants on the hub, in an order in which each finds what it needs. */
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
      ...clusters.map(cluster => clusterSecret(cluster, argocd.namespace)),
    ],
  ];
}

/** Creates the objects of a scenario that are not there yet; what is there stays as it is. */
export async function seedHub(
  client: HubClient,
  scenario: Scenario,
): Promise<void> {
  for (const objects of seedObjects(scenario)) {
    const present = await presentOf(client, objects);
    const waiting = objects.filter(object => !present.has(keyOf(object)));
    const workers = Array.from({ length: CONCURRENCY }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        await ensure(client, next);
      }
    });
    await Promise.all(workers);
  }
}

/** Seeds at once and again whenever the hub was reset, until it succeeds. */
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

/** Keys of the objects, of the resources that are wanted, that are there already. */
async function presentOf(client: HubClient, wanted: readonly KubeObject[]) {
  const resources = new Set(wanted.map(resourceOf));
  const present = new Set<string>();
  for (const resource of resources) {
    const { items } = await client.list(resource);
    items.forEach(item => present.add(keyOf(item)));
  }
  return present;
}

function keyOf(object: KubeObject): string {
  return `${groupOf(object.apiVersion)}/${object.kind}/${objectKey(object)}`;
}

async function ensure(client: HubClient, object: KubeObject) {
  try {
    await client.create(resourceOf(object), object);
  } catch (error) {
    // Somebody made it since it was looked for.
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
      `The scenario's object ${kind} ${metadata.name} (${apiVersion}) is of no kind that the fleet creates: ${seedableResources
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

/** The blank cluster Secret of the pull model: a name and a server, no credentials. */
function clusterSecret(cluster: ScenarioCluster, namespace: string): Secret {
  const { name } = cluster;
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: `${name}-cluster-secret`,
      namespace,
      labels: {
        ...clusterLabels(cluster),
        'argocd.argoproj.io/secret-type': 'cluster',
        'apps.open-cluster-management.io/acm-cluster': 'true',
        'apps.open-cluster-management.io/cluster-name': name,
        'apps.open-cluster-management.io/cluster-server': `${name}-control-plane`,
      },
    },
    type: 'Opaque',
    data: {
      name: base64(name),
      server: base64(`https://${name}-control-plane`),
    },
  };
}
