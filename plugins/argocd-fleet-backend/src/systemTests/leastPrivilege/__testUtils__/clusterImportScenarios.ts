import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import {
  applyRbac,
  deployedRbacFor,
} from '../../../__testUtils__/deployedRbac';
import type { TestHub } from '../../../__testUtils__/hubFixture';
import {
  managedCluster,
  managedServiceAccountDefinition,
  NAMESPACE,
} from '../../../__testUtils__/objects';
import { waitFor } from '../../../__testUtils__/waitFor';
import { FLEET_RESOURCES } from '../../../fleet/resources';
import {
  selectClusters,
  type Scenario,
  type Stage,
  type Step,
} from './scenario';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const SECRET = { namespace: NAMESPACE, name: 'one-cluster-secret' };

/** The four objects that cluster import manages in a namespace of Argo CD. */
const MANAGED = {
  clusterSecrets: SECRET,
  generatorConfigs: { namespace: NAMESPACE, name: 'ocm-placement-generator' },
  placementRoles: {
    namespace: NAMESPACE,
    name: 'argocd-fleet-placement-decisions',
  },
  placementRoleBindings: {
    namespace: NAMESPACE,
    name: 'argocd-fleet-placement-decisions',
  },
} as const;

async function resourceVersions({ testHub }: Stage) {
  return Promise.all(
    (Object.keys(MANAGED) as (keyof typeof MANAGED)[]).map(async name => {
      const object: KubernetesObject | undefined = await testHub.admin.get(
        name,
        MANAGED[name],
      );
      return object?.metadata.resourceVersion;
    }),
  );
}

function gitOpsCluster(more: object = {}) {
  return {
    apiVersion: 'apps.open-cluster-management.io/v1beta1',
    kind: 'GitOpsCluster',
    metadata: { name: 'all', namespace: NAMESPACE },
    spec: {
      argoServer: { argoNamespace: NAMESPACE },
      placementRef: { kind: 'Placement', name: 'all' },
      ...more,
    },
  };
}

async function prepareImport({ admin }: TestHub) {
  await applyRbac(admin.client, deployedRbacFor(NAMESPACE));
  await admin.create('serviceAccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: {
      name: 'argocd-applicationset-controller',
      namespace: NAMESPACE,
    },
  });
}

/** Unwanted changes of the managed objects. */
const UNWANTED = {
  placementRoles: { rules: [] },
  placementRoleBindings: { subjects: [] },
} as const;

/** A user changes a managed object, and the backend restores it. */
function overwrite(name: keyof typeof UNWANTED): Step {
  let before: unknown;
  async function content({ testHub }: Stage) {
    const object = await testHub.admin.get(name, MANAGED[name]);
    const { metadata, ...rest } = object as KubernetesObject;
    return rest;
  }
  return {
    async act(stage) {
      before = await content(stage);
      await stage.testHub.admin.patch(name, MANAGED[name], UNWANTED[name]);
    },
    isDone: async stage => isDeepStrictEqual(await content(stage), before),
  };
}

export const importingClusters: Scenario = {
  controllers: ['clusterImport'],
  async prepare(testHub) {
    await prepareImport(testHub);
    const { admin } = testHub;
    // This Secret has the name for the second cluster, but is not a cluster Secret.
    await admin.create('clusters', managedCluster('two'));
    await admin.create('clusterSecrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'two-cluster-secret', namespace: NAMESPACE },
    });
  },
  steps: [
    {
      async act({ testHub }) {
        await testHub.admin.create('gitOpsClusters', gitOpsCluster());
      },
      isDone: async stage => {
        const found = await stage.testHub.admin.get('gitOpsClusters', {
          namespace: NAMESPACE,
          name: 'all',
        });
        return (
          (await resourceVersions(stage)).every(
            version => version !== undefined,
          ) && found?.status?.phase === 'successful'
        );
      },
    },
    {
      act: ({ testHub }) =>
        testHub.admin.patch(
          'clusters',
          { name: 'one' },
          { metadata: { labels: { region: 'eu' } } },
        ),
      isDone: async ({ testHub }) =>
        (await testHub.admin.get('clusterSecrets', SECRET))?.metadata.labels
          ?.region === 'eu',
    },
    overwrite('placementRoles'),
    overwrite('placementRoleBindings'),
    {
      act: ({ testHub }) => selectClusters(testHub, 'one', 'two'),
      isDone: ({ hub }) =>
        hub.runners.some(runner =>
          runner
            .status()
            .findings?.some(({ object }) => object?.name?.startsWith('two')),
        ),
    },
    {
      act: ({ testHub }) => selectClusters(testHub),
      isDone: async ({ testHub }) =>
        (await testHub.admin.get('clusterSecrets', SECRET)) === undefined,
    },
  ],
};

/** Name of a ManagedServiceAccount and of the Secret with its token. */
const TOKEN = { namespace: 'one', name: 'argocd' };

function refreshedAt(lastRefreshTimestamp: string) {
  return { tokenSecretRef: { name: TOKEN.name, lastRefreshTimestamp } };
}

/** The token in Argo CD's cluster Secret. */
async function importedToken({ testHub }: Stage): Promise<unknown> {
  const secret = await testHub.admin.get('clusterSecrets', SECRET);
  const config = Buffer.from(secret?.data?.config ?? '', 'base64').toString();
  return config && JSON.parse(config).bearerToken;
}

/** Cluster import with tokens of ManagedServiceAccounts, which an add-on of OCM creates. */
export const importingWithTokens: Scenario = {
  controllers: ['clusterImport'],
  async prepare(testHub) {
    await prepareImport(testHub);
    const { admin } = testHub;
    const resource = FLEET_RESOURCES.managedServiceAccounts;
    await testHub.provideCrd(managedServiceAccountDefinition());
    await admin.patch(
      'clusters',
      { name: 'one' },
      { spec: { managedClusterClientConfigs: [{ url: 'https://one:6443' }] } },
    );
    await admin.create('clusterSecrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: TOKEN,
      data: { token: base64('first'), 'ca.crt': base64('ca') },
    } as KubernetesObject);
    // The API server serves a CRD shortly after it was created.
    await waitFor(() =>
      admin
        .create('managedServiceAccounts', {
          apiVersion: `${resource.group}/${resource.version}`,
          kind: resource.kind,
          metadata: TOKEN,
        })
        .then(() => true),
    );
    await testHub.patchStatus(
      'managedServiceAccounts',
      TOKEN,
      refreshedAt('2026-11-21T10:00:00Z'),
    );
  },
  steps: [
    {
      act: ({ testHub }) =>
        testHub.admin.create(
          'gitOpsClusters',
          gitOpsCluster({ managedServiceAccountRef: 'argocd' }),
        ),
      isDone: async stage => (await importedToken(stage)) === 'first',
    },
    {
      async act({ testHub }) {
        await testHub.admin.patch('clusterSecrets', TOKEN, {
          data: { token: base64('second') },
        });
        await testHub.patchStatus(
          'managedServiceAccounts',
          TOKEN,
          refreshedAt('2026-11-21T11:00:00Z'),
        );
      },
      isDone: async stage => (await importedToken(stage)) === 'second',
    },
  ],
};
