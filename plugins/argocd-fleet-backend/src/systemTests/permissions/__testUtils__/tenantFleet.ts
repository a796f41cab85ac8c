import type { Entity } from '@backstage/catalog-model';
import {
  CLUSTER_SET_LABEL,
  COMPONENT_ANNOTATIONS,
  HOSTING_APPLICATION_SET_ANNOTATION,
  HUB_APPLICATION_NAMESPACE_ANNOTATION,
  HUB_APPLICATION_NAME_ANNOTATION,
  MANAGED_BY,
  MANAGED_BY_LABEL,
  type KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import type { Knex } from 'knex';
import type { TestHub } from '../../../__testUtils__/hubFixture';
import {
  boundSet,
  clusterSet,
  managedCluster,
  ownedBy,
  pullApplication,
  pullApplicationSet,
} from '../../../__testUtils__/objects';
import type { ClusterName, SetName } from './decisions';

/** Namespace of each ApplicationSet. */
export const NAMESPACE_OF: Readonly<Record<SetName, string>> = {
  ours: 'argocd',
  theirs: 'argocd',
  linked: 'shops',
  gone: 'shops',
  alone: 'argocd',
};

/** The ApplicationSets that exist. */
export const EXISTING = ['linked', 'ours', 'theirs'] as const;

/** Each Application, by its ApplicationSet and cluster: `<set>-<cluster>`. */
export const APPLICATIONS: readonly (readonly [SetName, ClusterName])[] = [
  ['ours', 'blue1'],
  ['ours', 'red1'],
  ['theirs', 'red1'],
  ['linked', 'red1'],
  ['gone', 'blue1'],
  ['alone', 'red1'],
];

/** Labels and annotations of each ApplicationSet. */
export const METADATA_OF: Readonly<Record<(typeof EXISTING)[number], object>> =
  {
    ours: {
      labels: { tier: 'gold', [MANAGED_BY_LABEL]: MANAGED_BY },
      annotations: { [COMPONENT_ANNOTATIONS.owner]: 'group:default/team-a' },
    },
    theirs: {
      labels: { tier: 'silver', [MANAGED_BY_LABEL]: MANAGED_BY },
      annotations: { [COMPONENT_ANNOTATIONS.owner]: 'Team-B' },
    },
    linked: { labels: {} },
  };

/** The metadata that decides, as it is before each test. */
export async function resetSets({ admin }: TestHub): Promise<void> {
  for (const name of EXISTING) {
    await admin.patch(
      'applicationSets',
      { namespace: NAMESPACE_OF[name], name },
      { metadata: METADATA_OF[name] as Record<string, unknown> },
    );
  }
}

/** Two teams' ApplicationSets on two clusters of two sets, one of them without an owner on the hub. */
export async function createTenantFleet(hub: TestHub): Promise<void> {
  const { admin } = hub;
  await hub.provideNamespaces('argocd', 'shops', 'blue1', 'red1');
  for (const [name, set, env] of [
    ['blue1', 'blue', 'test'],
    ['red1', 'red', 'prod'],
  ]) {
    await admin.create('clusterSets', clusterSet(set));
    await admin.create(
      'clusters',
      managedCluster(name, { [CLUSTER_SET_LABEL]: set, env }),
    );
  }
  await admin.create('placements', {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'Placement',
    metadata: { name: 'everywhere', namespace: 'argocd' },
    spec: {},
  } as KubernetesObject);
  await admin.create('clusterSets', clusterSet('unused'));
  await admin.create('clusterSetBindings', boundSet('blue', 'argocd'));
  await admin.create('clusterSetBindings', boundSet('red', 'argocd'));
  await admin.create('clusterSetBindings', boundSet('red', 'shops'));
  for (const name of EXISTING) {
    const namespace = NAMESPACE_OF[name];
    const made = pullApplicationSet(name);
    await admin.create('applicationSets', {
      ...made,
      metadata: { ...made.metadata, namespace },
    });
    const set = await admin.get('applicationSets', { namespace, name });
    for (const [owner, cluster] of APPLICATIONS) {
      if (owner === name) {
        await admin.create(
          'applications',
          pullApplication(`${name}-${cluster}`, cluster, {
            ...ownedBy(set),
            namespace,
          }) as KubernetesObject,
        );
      }
    }
  }
  await resetSets(hub);
  for (const [set, cluster] of APPLICATIONS) {
    await createEndingWork(hub, set, cluster);
  }
}

/** A work that is being deleted for ever, after its Application. */
async function createEndingWork(
  { admin }: TestHub,
  set: SetName,
  cluster: ClusterName,
) {
  const name = { namespace: cluster, name: `${set}-${cluster}-ending` };
  await admin.create('works', {
    apiVersion: 'work.open-cluster-management.io/v1',
    kind: 'ManifestWork',
    metadata: {
      ...name,
      finalizers: ['example.com/for-ever'],
      annotations: {
        [HUB_APPLICATION_NAMESPACE_ANNOTATION]: NAMESPACE_OF[set],
        [HUB_APPLICATION_NAME_ANNOTATION]: `${set}-ended`,
        ...(set !== 'alone' && {
          [HOSTING_APPLICATION_SET_ANNOTATION]: `${NAMESPACE_OF[set]}/${set}`,
        }),
      },
    },
    spec: {
      workload: {
        manifests: [
          {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: 'any', namespace: 'any' },
          },
        ],
      },
    },
  } as KubernetesObject);
  await admin.delete('works', name);
}

/** One transition of each Application. */
export async function recordTransitions(
  { admin }: TestHub,
  knex: Knex,
): Promise<void> {
  for (const [set, cluster] of APPLICATIONS) {
    const object = await admin.get('applicationSets', {
      namespace: NAMESPACE_OF[set],
      name: set,
    });
    const common = {
      hub: 'hub',
      namespace: NAMESPACE_OF[set],
      application_set: set === 'alone' ? null : set,
      cluster,
      health: 'Healthy',
      sync: 'Synced',
      sequence: 1,
    };
    const [{ id }] = await knex('fleet_applications')
      .insert({
        ...common,
        name: `${set}-${cluster}`,
        delivery_model: 'pull',
        stale: false,
        details: '{}',
        details_fingerprint: 0,
        changed_at: Date.now(),
        first_seen: Date.now(),
        updated_at: Date.now(),
      })
      .returning('id');
    await knex('fleet_transitions').insert({
      ...common,
      application_id: id,
      application_set_uid: object?.metadata.uid ?? null,
      at: Date.now(),
      recorded_at: Date.now(),
    });
  }
}

function component(name: string, owner: string, sets: string): Entity {
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: {
      name,
      namespace: 'default',
      annotations: { 'argocd-fleet/applicationset': sets },
    },
    spec: { type: 'service', lifecycle: 'production', owner },
    relations: [{ type: 'ownedBy', targetRef: owner }],
  };
}

/** An entity of team-a links to an ApplicationSet without owner, and to one of team-b. */
export const ENTITIES: Entity[] = [
  component('shop', 'group:default/team-a', 'shops/linked, argocd/theirs'),
  component(
    'everything',
    'group:default/nobody',
    'hub:argocd/ours, hub:argocd/theirs, hub:shops/linked, hub:shops/none',
  ),
];
