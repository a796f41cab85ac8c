import { isDeepStrictEqual } from 'node:util';
import type {
  KubernetesObject,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { putApplicationSet, putPlacement } from '../api/hubWrites';
import type { ControllerName } from '../config/controllerNames';
import { FLEET_RESOURCES } from '../fleet/resources';
import type { FleetHub } from '../fleetHub';
import { applyRbac, deployedRbacFor } from './deployedRbac';
import { CRDS } from './emptyHub';
import type { TestHub } from './hubFixture';
import {
  managedCluster,
  managedServiceAccountDefinition,
  NAMESPACE,
  ownedBy,
  placementDecision,
  pullApplication,
  pullApplicationSet,
} from './objects';
import { waitFor } from './waitFor';

/** A fleet at work on a hub, and what belongs to a scenario. */
export interface Stage {
  readonly testHub: TestHub;
  readonly hub: FleetHub;
}

/** Something that somebody does, and what comes of it where the backend may do what it has to. */
export interface Step {
  act(stage: Stage): Promise<unknown>;
  seen(stage: Stage): Promise<boolean | undefined> | boolean | undefined;
}

/** What makes use of a role. */
export interface Scenario {
  /** Controllers that take part; the others are off. */
  readonly controllers: readonly ControllerName[];
  readonly observe?: boolean;
  readonly includeAppProject?: boolean;
  /** Before the backend begins. */
  prepare?(testHub: TestHub): Promise<void>;
  readonly steps: readonly Step[];
  /** Whether it is known by now that what is to be seen will not come, without the backend complaining of a permission. */
  missed?(stage: Stage): boolean;
}

const APP = { namespace: NAMESPACE, name: 'app' };
const FINALIZER = 'resources-finalizer.argocd.argoproj.io';
const base64 = (text: string) => Buffer.from(text).toString('base64');

async function applicationExists({ testHub }: Stage) {
  return (await testHub.somebody.get('applications', APP)) !== undefined;
}

async function onlyWork({ testHub }: Stage) {
  const [work] = await testHub.somebody.list('works');
  return work;
}

/** What a work carries; empty where there is none. */
function workText(work: ManifestWork | undefined): string {
  return JSON.stringify(work?.spec ?? '');
}

const deliver: Step = {
  act: ({ testHub }) =>
    testHub.somebody.create(
      'applications',
      pullApplication('app', 'one', { finalizers: [FINALIZER] }),
    ),
  seen: async stage => (await onlyWork(stage)) !== undefined,
};

export const reading: Scenario = {
  controllers: [],
  steps: [
    {
      act: async () => {},
      seen: ({ hub }) => hub.cache.state().state === 'ready',
    },
  ],
};

/** A hub whose works lack a field, and on which RHACM is at work: what is told of it without a single write. */
export const lookingAtTheHub: Scenario = {
  controllers: ['propagation'],
  observe: true,
  async prepare({ somebody }) {
    const name = 'manifestworks.work.open-cluster-management.io';
    const crd = await somebody.client.get(CRDS, { name });
    const text = JSON.stringify(crd.spec).replaceAll(
      'feedbackScrapeType',
      'somethingElse',
    );
    await somebody.client.patch(CRDS, { name }, { spec: JSON.parse(text) });
  },
  steps: [
    {
      act: async () => {},
      seen: ({ hub }) => hasFinding(hub, 'AFC-404'),
    },
  ],
  missed: ({ hub }) =>
    hub.runners.some(runner => runner.status().lastPassAt !== undefined) &&
    !hasFinding(hub, 'AFC-404'),
};

function hasFinding(hub: FleetHub, code: string) {
  return hub.runners.some(runner =>
    runner.status().findings?.some(finding => finding.code === code),
  );
}

export const propagating: Scenario = {
  controllers: ['propagation'],
  steps: [
    deliver,
    {
      act: ({ testHub }) =>
        testHub.somebody.patch('applications', APP, {
          spec: { source: { path: 'changed' } },
        }),
      seen: async stage =>
        workText(await onlyWork(stage)).includes('"changed"'),
    },
    {
      act: ({ testHub }) => testHub.somebody.delete('applications', APP),
      seen: async stage =>
        !(await applicationExists(stage)) &&
        (await onlyWork(stage)) === undefined,
    },
  ],
};

export const bringingAppProjects: Scenario = {
  controllers: ['propagation'],
  includeAppProject: true,
  prepare: ({ somebody }) =>
    somebody.create('appProjects', {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'team', namespace: NAMESPACE },
      spec: {},
    } as KubernetesObject),
  steps: [
    {
      act: ({ testHub }) => {
        const application = pullApplication('app', 'one');
        return testHub.somebody.create('applications', {
          ...application,
          spec: { ...application.spec, project: 'team' },
        } as KubernetesObject);
      },
      seen: async stage =>
        workText(await onlyWork(stage)).includes('"AppProject"'),
    },
  ],
  missed: ({ hub }) => hasFinding(hub, 'AFC-112'),
};

export const bringingStatusHome: Scenario = {
  controllers: ['propagation', 'applicationStatus'],
  steps: [
    deliver,
    {
      async act(stage) {
        const work = await onlyWork(stage);
        await stage.testHub.patchStatus(
          'works',
          work.metadata,
          reportedHealth('Degraded'),
        );
      },
      seen: async ({ testHub }) =>
        (await testHub.somebody.get('applications', APP))?.status?.health
          ?.status === 'Degraded',
    },
  ],
};

function reportedHealth(health: string) {
  const condition = {
    type: 'Applied',
    status: 'True',
    reason: 'Test',
    message: '',
    lastTransitionTime: '2026-11-21T10:00:00Z',
    observedGeneration: 1,
  };
  const values = { healthStatus: health, syncStatus: 'Synced' };
  return {
    conditions: [condition],
    resourceStatus: {
      manifests: [
        {
          resourceMeta: {
            ordinal: 0,
            group: 'argoproj.io',
            version: 'v1alpha1',
            kind: 'Application',
            resource: 'applications',
            ...APP,
          },
          conditions: [condition],
          statusFeedback: {
            values: Object.entries(values).map(([name, string]) => ({
              name,
              fieldValue: { type: 'String', string },
            })),
          },
        },
      ],
    },
  };
}

const SET = { namespace: NAMESPACE, name: 'set' };

async function ownedApplication({ testHub }: Stage, name: string) {
  const set = await testHub.somebody.get('applicationSets', SET);
  return pullApplication(name, 'one', ownedBy(set));
}

async function reportedRows({ testHub }: Stage) {
  const report = await testHub.somebody.get('reports', SET);
  return report?.statuses.clusterConditions?.length ?? 0;
}

export const aggregating: Scenario = {
  controllers: ['aggregation'],
  prepare: ({ somebody }) =>
    somebody.create('applicationSets', pullApplicationSet(SET.name)),
  steps: [
    ...['app', 'second'].map((name, index) => ({
      act: async (stage: Stage) =>
        stage.testHub.somebody.create(
          'applications',
          await ownedApplication(stage, name),
        ),
      seen: async (stage: Stage) => (await reportedRows(stage)) === index + 1,
    })),
    {
      act: ({ testHub }) =>
        testHub.somebody.patch('reports', SET, {
          statuses: { clusterConditions: [] },
        }),
      seen: async stage => (await reportedRows(stage)) === 2,
    },
    {
      act: ({ testHub }) =>
        Promise.all(
          ['app', 'second'].map(name =>
            testHub.somebody.delete('applications', { ...APP, name }),
          ),
        ),
      seen: async ({ testHub }) =>
        (await testHub.somebody.get('reports', SET)) === undefined,
    },
  ],
};

const source = {
  repoURL: 'https://github.com/argoproj/argocd-example-apps.git',
  path: 'guestbook',
};

/** What the scaffolder's actions ask the API for. */
export const creating: Scenario = {
  controllers: [],
  steps: [
    ...['demo', 'other'].map(destinationNamespace => ({
      act: ({ hub }: Stage) =>
        putApplicationSet(
          hub,
          { hub: 'hub', ...SET },
          {
            placement: 'all',
            destinationNamespace,
            source,
            automated: true,
            project: 'default',
          },
        ),
      seen: () => true,
    })),
    ...[1, 2].map(numberOfClusters => ({
      act: ({ hub }: Stage) =>
        putPlacement(
          hub,
          { hub: 'hub', namespace: NAMESPACE, name: 'all' },
          { clusterSets: ['global'], numberOfClusters },
        ),
      seen: () => true,
    })),
  ],
};

const SECRET = { namespace: NAMESPACE, name: 'one-cluster-secret' };

/** The four objects of a namespace of Argo CD that cluster import keeps. */
const KEPT = {
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

async function versions({ testHub }: Stage) {
  return Promise.all(
    (Object.keys(KEPT) as (keyof typeof KEPT)[]).map(async name => {
      const object: KubernetesObject | undefined = await testHub.somebody.get(
        name,
        KEPT[name],
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

async function prepareImport({ somebody }: TestHub) {
  await applyRbac(somebody.client, deployedRbacFor(NAMESPACE));
  await somebody.create('placements', {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'Placement',
    metadata: { name: 'all', namespace: NAMESPACE },
    spec: {},
  } as KubernetesObject);
  await somebody.create('serviceAccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: {
      name: 'argocd-applicationset-controller',
      namespace: NAMESPACE,
    },
  });
}

/** What somebody makes of the kept objects. */
const SPOILED = {
  placementRoles: { rules: [] },
  placementRoleBindings: { subjects: [] },
} as const;

/** Somebody spoils an object, and it is made what it was. */
function spoil(name: keyof typeof SPOILED): Step {
  let before: unknown;
  async function content({ testHub }: Stage) {
    const object = await testHub.somebody.get(name, KEPT[name]);
    const { metadata, ...rest } = object as KubernetesObject;
    return rest;
  }
  return {
    async act(stage) {
      before = await content(stage);
      await stage.testHub.somebody.patch(name, KEPT[name], SPOILED[name]);
    },
    seen: async stage => isDeepStrictEqual(await content(stage), before),
  };
}

export const importingClusters: Scenario = {
  controllers: ['clusterImport'],
  async prepare(testHub) {
    await prepareImport(testHub);
    const { somebody } = testHub;
    // In the way of the second cluster, and not a cluster's.
    await somebody.create('clusters', managedCluster('two'));
    await somebody.create('clusterSecrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'two-cluster-secret', namespace: NAMESPACE },
    });
  },
  steps: [
    {
      async act({ testHub }) {
        await testHub.somebody.create('gitOpsClusters', gitOpsCluster());
      },
      seen: async stage => {
        const found = await stage.testHub.somebody.get('gitOpsClusters', {
          namespace: NAMESPACE,
          name: 'all',
        });
        return (
          (await versions(stage)).every(version => version !== undefined) &&
          found?.status?.phase === 'successful'
        );
      },
    },
    {
      act: ({ testHub }) =>
        testHub.somebody.patch(
          'clusters',
          { name: 'one' },
          { metadata: { labels: { region: 'eu' } } },
        ),
      seen: async ({ testHub }) =>
        (await testHub.somebody.get('clusterSecrets', SECRET))?.metadata.labels
          ?.region === 'eu',
    },
    spoil('placementRoles'),
    spoil('placementRoleBindings'),
    {
      act: ({ testHub }) => decide(testHub, 'one', 'two'),
      seen: ({ hub }) =>
        hub.runners.some(runner =>
          runner
            .status()
            .findings?.some(({ object }) => object?.name?.startsWith('two')),
        ),
    },
    {
      act: ({ testHub }) => decide(testHub),
      seen: async ({ testHub }) =>
        (await testHub.somebody.get('clusterSecrets', SECRET)) === undefined,
    },
  ],
};

/** A ManagedServiceAccount and the Secret with its token. */
const TOKEN = { namespace: 'one', name: 'argocd' };

function refreshedAt(lastRefreshTimestamp: string) {
  return { tokenSecretRef: { name: TOKEN.name, lastRefreshTimestamp } };
}

/** The token that Argo CD has for the cluster. */
async function importedToken({ testHub }: Stage): Promise<unknown> {
  const secret = await testHub.somebody.get('clusterSecrets', SECRET);
  const config = Buffer.from(secret?.data?.config ?? '', 'base64').toString();
  return config && JSON.parse(config).bearerToken;
}

/** With the tokens of ManagedServiceAccounts, which another add-on makes. */
export const importingWithTokens: Scenario = {
  controllers: ['clusterImport'],
  async prepare(testHub) {
    await prepareImport(testHub);
    const { somebody } = testHub;
    const resource = FLEET_RESOURCES.managedServiceAccounts;
    await testHub.provideCrd(managedServiceAccountDefinition());
    await somebody.patch(
      'clusters',
      { name: 'one' },
      { spec: { managedClusterClientConfigs: [{ url: 'https://one:6443' }] } },
    );
    await somebody.create('clusterSecrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: TOKEN,
      data: { token: base64('first'), 'ca.crt': base64('ca') },
    } as KubernetesObject);
    // A definition is served a moment after it was made.
    await waitFor(() =>
      somebody
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
        testHub.somebody.create(
          'gitOpsClusters',
          gitOpsCluster({ managedServiceAccountRef: 'argocd' }),
        ),
      seen: async stage => (await importedToken(stage)) === 'first',
    },
    {
      async act({ testHub }) {
        await testHub.somebody.patch('clusterSecrets', TOKEN, {
          data: { token: base64('second') },
        });
        await testHub.patchStatus(
          'managedServiceAccounts',
          TOKEN,
          refreshedAt('2026-11-21T11:00:00Z'),
        );
      },
      seen: async stage => (await importedToken(stage)) === 'second',
    },
  ],
};

/** What every scenario begins with. */
export async function prepareHub(testHub: TestHub) {
  await testHub.provideNamespaces(NAMESPACE, 'one');
  await testHub.somebody.create('clusters', managedCluster('one'));
  await testHub.somebody.create('decisions', placementDecision('all'));
  await decide(testHub, 'one');
}

async function decide(testHub: TestHub, ...clusters: string[]) {
  await testHub.patchStatus('decisions', placementDecision('all').metadata, {
    decisions: clusters.map(clusterName => ({ clusterName, reason: '' })),
  });
}
