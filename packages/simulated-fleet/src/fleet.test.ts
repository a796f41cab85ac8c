import timers from 'node:timers/promises';
import { EmbeddedHub, startEmbeddedHub } from 'embedded-hub';

import { untilFound } from './__testUtils__/fleetOnHub';
import { Application, ApplicationSet } from './kubernetes/argocdTypes';
import { createHubClient, HubClient } from './kubernetes/client';
import { Placement } from './kubernetes/clusterTypes';
import { loadKubeConfig } from './kubernetes/kubeConfig';
import { KubeObject } from './kubernetes/objects';
import {
  applications,
  applicationSets,
  managedClusters,
  manifestWorks,
  placementDecisions,
  placements,
  Resource,
} from './kubernetes/resources';
import { ManifestWork } from './kubernetes/workTypes';
import { silentLogger } from './runtime/logger';
import { defaultScenario } from './scenario/loadScenario';
import { Scenario } from './scenario/schema';
import { SimulatedFleet, startSimulatedFleet } from './startSimulatedFleet';
import { REMEDY, workOf } from './__testUtils__/pullModelWorks';

const NAMESPACE = 'openshift-gitops';
const SET = 'guestbook-allclusters-app-set';
const PULL_LABEL =
  'apps.open-cluster-management.io/pull-to-ocm-managed-cluster';

// Only the four clusters of the documentation's example.
const scenario: Scenario = {
  ...defaultScenario,
  clusters: defaultScenario.clusters
    .filter(({ clusterSet }) => clusterSet === 'aws-clusters')
    // No lease is due while a test counts writes.
    .map(cluster => ({ ...cluster, leaseDurationSeconds: 3600 })),
  objects: defaultScenario.objects.filter(
    ({ metadata }) => metadata.name !== 'inventory-edge',
  ),
};

describe('the simulated fleet on the embedded hub', () => {
  let hub: EmbeddedHub;
  let client: HubClient;
  let fleet: SimulatedFleet | undefined;

  const start = async (overrides: Partial<Scenario> = {}) => {
    fleet = await startSimulatedFleet({
      kubeconfig: hub.kubeconfig(),
      scenario: { ...scenario, ...overrides },
      speed: 20,
    });
    await fleet.ready;
  };
  const until = <T extends KubeObject, R>(
    resource: Resource<T>,
    find: (items: T[]) => R | undefined | false,
  ) => untilFound(client, resource, find);
  const pulled = () =>
    until(applications, items => {
      const found = items.filter(
        ({ metadata }) =>
          metadata.labels?.[PULL_LABEL] === 'true' &&
          !metadata.deletionTimestamp,
      );
      return found.length === 4 && found;
    });
  const propagate = async () => {
    const works = (await pulled())
      .map(workOf)
      .filter(({ metadata }) => metadata.namespace !== 'local-cluster');
    for (const work of works) {
      await client.create(manifestWorks, work);
    }
  };
  const feedback = (work: ManifestWork | undefined, name: string) =>
    work?.status?.resourceStatus?.manifests?.[0]?.statusFeedback?.values?.find(
      value => value.name === name,
    )?.fieldValue.string;
  const ready = (work: ManifestWork | undefined) =>
    work?.status?.conditions?.find(({ type }) => type === 'ApplicationReady');
  const workOn = (items: ManifestWork[], cluster: string) =>
    items.find(
      ({ metadata }) =>
        metadata.namespace === cluster && metadata.name.startsWith(cluster),
    );
  const untilHealth = (health: Record<string, string>) =>
    until(
      manifestWorks,
      items =>
        Object.entries(health).every(
          ([cluster, status]) =>
            feedback(workOn(items, cluster), 'healthStatus') === status,
        ) && items,
    );

  beforeEach(async () => {
    hub = await startEmbeddedHub();
    client = createHubClient(loadKubeConfig(hub.kubeconfig()));
  });

  afterEach(async () => {
    await fleet?.stop();
    fleet = undefined;
    await client.close();
    await hub.stop();
  });

  it('places, generates and deploys, fails until the remedy is applied, and cleans up', async () => {
    await start();

    const decision = await until(placementDecisions, items =>
      items.find(
        ({ metadata, status }) =>
          metadata.name === 'aws-app-placement-decision-1' &&
          status?.decisions?.length === 4,
      ),
    );
    expect(decision.status?.decisions?.map(d => d.clusterName)).toEqual([
      'cluster1',
      'local-cluster',
      'pcluster1',
      'pcluster2',
    ]);
    expect(
      (await pulled()).map(({ metadata }) => metadata.name).sort(),
    ).toEqual([
      'cluster1-guestbook-app',
      'local-cluster-guestbook-app',
      'pcluster1-guestbook-app',
      'pcluster2-guestbook-app',
    ]);
    const set = await until(applicationSets, items =>
      items.find(
        ({ metadata, status }) =>
          metadata.name === SET &&
          status?.resourcesCount === 4 &&
          // The error from before the first decisions may still be in the status.
          status.conditions?.every(
            ({ type, status: is }) =>
              type !== 'ErrorOccurred' || is === 'False',
          ),
      ),
    );
    expect(set.status?.conditions).toMatchObject([
      { type: 'ErrorOccurred', status: 'False' },
      { type: 'ParametersGenerated', status: 'True' },
      { type: 'ResourcesUpToDate', status: 'True' },
    ]);

    await propagate();
    await untilHealth({ pcluster1: 'Progressing', pcluster2: 'Progressing' });
    const works = await untilHealth({
      cluster1: 'Missing',
      pcluster1: 'Healthy',
      pcluster2: 'Healthy',
    });
    expect(ready(workOn(works, 'pcluster1'))).toMatchObject({
      status: 'True',
      observedGeneration: 1,
      message:
        'digest\nService\tguestbook-ui\tSynced\tHealthy\nDeployment\tguestbook-ui\tSynced\tHealthy',
    });
    const failed = await until(manifestWorks, items => {
      const condition = ready(workOn(items, 'cluster1'));
      return condition?.message.includes('SyncError') && condition;
    });
    expect(failed.status).toBe('False');
    expect(failed.message).toContain(
      'services is forbidden: User "system:serviceaccount:openshift-gitops:openshift-gitops-argocd-application-controller" cannot create resource "services" in API group "" in the namespace "guestbook"',
    );

    await client.create(manifestWorks, REMEDY);
    await untilHealth({ cluster1: 'Healthy' });

    const work = workOn((await client.list(manifestWorks)).items, 'pcluster1');
    await client.delete(manifestWorks, work!.metadata);
    await until(
      manifestWorks,
      items => workOn(items, 'pcluster1') === undefined,
    );
  });

  it('fails again after the remedy was deleted', async () => {
    await start();
    await client.create(manifestWorks, REMEDY);
    await propagate();
    await untilHealth({ cluster1: 'Healthy' });
    await client.delete(manifestWorks, REMEDY.metadata);
    await until(
      manifestWorks,
      items => !items.some(({ metadata }) => metadata.name === 'argo-admin'),
    );
    const { items } = await client.list(manifestWorks);
    const work = workOn(items, 'cluster1') as ManifestWork;
    const [manifest] = work.spec?.workload?.manifests as Application[];
    const source = { ...manifest.spec?.source, targetRevision: 'v2' };
    await client.patch(manifestWorks, work.metadata, {
      spec: {
        workload: {
          manifests: [{ ...manifest, spec: { ...manifest.spec, source } }],
        },
      },
    });
    const condition = await until(manifestWorks, all => {
      const found = ready(workOn(all, 'cluster1'));
      return found?.message.includes('SyncError') && found;
    });
    expect(condition.observedGeneration).toBe(2);
  });

  it('updates the Applications after a change of the ApplicationSet, and deploys the new revision', async () => {
    await start();
    await propagate();
    const before = await untilHealth({ pcluster1: 'Healthy' });
    const revision = feedback(workOn(before, 'pcluster1'), 'syncRevision');

    const set = await client.get(applicationSets, {
      name: SET,
      namespace: NAMESPACE,
    });
    const template = set.spec?.template as ApplicationSet['spec'] & {
      spec: { source: object };
    };
    const source = { ...template.spec.source, targetRevision: 'v1.1' };
    await client.patch(applicationSets, set.metadata, {
      spec: { template: { spec: { source } } },
    });
    const changed = await until(applications, items =>
      items.find(
        ({ metadata, spec }) =>
          metadata.name === 'pcluster1-guestbook-app' &&
          spec?.source?.targetRevision === 'v1.1',
      ),
    );
    const { name, namespace, ...rest } = workOf(changed).metadata;
    expect(rest).toEqual({});
    await client.patch(
      manifestWorks,
      { name, namespace },
      { spec: { workload: workOf(changed).spec?.workload } },
    );
    await until(manifestWorks, items => {
      const work = workOn(items, 'pcluster1');
      return (
        feedback(work, 'syncRevision') !== revision &&
        feedback(work, 'healthStatus') === 'Healthy'
      );
    });
  });

  it('reconciles a push-model Application on the hub', async () => {
    await start();
    const application = await until(applications, items =>
      items.find(
        ({ metadata, status }) =>
          metadata.name === 'payments-pcluster1' &&
          status?.health?.status === 'Healthy',
      ),
    );
    expect(application.status).toMatchObject({
      sync: { status: 'Synced' },
      operationState: { phase: 'Succeeded' },
      summary: { images: expect.any(Array) },
      history: [{ id: 0 }],
      resources: expect.arrayContaining([
        expect.objectContaining({ kind: 'Deployment', name: 'payments-api' }),
      ]),
    });
    await client.delete(applicationSets, {
      name: 'payments-push',
      namespace: NAMESPACE,
    });
    await until(
      applications,
      items =>
        !items.some(({ metadata }) => metadata.name.startsWith('payments-')),
    );
  });

  it('reconciles a Placement and an ApplicationSet that a user creates later', async () => {
    await start();
    const metadata = { name: 'mine', namespace: NAMESPACE };
    const placement: Placement = {
      apiVersion: 'cluster.open-cluster-management.io/v1beta1',
      kind: 'Placement',
      metadata,
      spec: {
        numberOfClusters: 1,
        predicates: [
          {
            requiredClusterSelector: {
              labelSelector: { matchLabels: { environment: 'production' } },
            },
          },
        ],
      },
    };
    const set = scenario.objects.find(
      object => object.metadata.name === SET,
    ) as ApplicationSet;
    await client.create(applicationSets, {
      ...set,
      metadata,
      spec: {
        ...set.spec,
        generators: [
          {
            clusterDecisionResource: {
              configMapRef: 'ocm-placement-generator',
              labelSelector: {
                matchLabels: {
                  'cluster.open-cluster-management.io/placement': 'mine',
                },
              },
            },
          },
        ],
        template: {
          ...set.spec?.template,
          metadata: { name: '{{clusterName}}-mine' },
        },
      },
    });
    await until(applicationSets, items =>
      items.some(
        item =>
          item.metadata.name === 'mine' &&
          item.status?.conditions?.[0].message ===
            'no clusterDecisionResources found',
      ),
    );
    await client.create(placements, placement);
    const generated = await until(applications, items =>
      items.find(item => item.metadata.name === 'pcluster1-mine'),
    );
    expect(generated.metadata.ownerReferences).toMatchObject([
      { name: 'mine' },
    ]);
    await client.delete(placements, metadata);
  });

  it('reports an unsupported generator in a condition of the ApplicationSet', async () => {
    await start();
    await client.create(applicationSets, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: 'from-git', namespace: NAMESPACE },
      spec: {
        generators: [
          { git: { repoURL: 'https://example.com/x.git', revision: 'main' } },
        ],
        template: {
          metadata: { name: 'x' },
          spec: { project: 'default', destination: {} },
        },
      },
    });
    const set = await until(applicationSets, items =>
      items.find(
        ({ metadata, status }) =>
          metadata.name === 'from-git' && status?.conditions,
      ),
    );
    expect(set.status?.conditions?.[0]).toMatchObject({
      type: 'ErrorOccurred',
      status: 'True',
      message: expect.stringContaining('no generator "git"'),
    });
  });

  it('does not report for a cluster with stopsReportingAfterSeconds 0', async () => {
    const clusters = scenario.clusters.map(cluster =>
      cluster.name === 'pcluster2'
        ? { ...cluster, stopsReportingAfterSeconds: 0 }
        : cluster,
    );
    await start({ clusters });
    await propagate();
    await untilHealth({ pcluster1: 'Healthy' });
    const works = (await client.list(manifestWorks)).items;
    expect(workOn(works, 'pcluster2')?.status).toBeUndefined();
    const silent = await client.get(managedClusters, { name: 'pcluster2' });
    expect(silent.status?.conditions).toContainEqual(
      expect.objectContaining({
        type: 'ManagedClusterConditionAvailable',
        status: 'Unknown',
      }),
    );
  });

  it('writes nothing after a restart if nothing has changed', async () => {
    await start();
    await propagate();
    await untilHealth({ pcluster1: 'Healthy', pcluster2: 'Healthy' });
    // Also wait for the push-model Applications.
    await until(
      applications,
      items =>
        items.filter(({ metadata }) => metadata.name.startsWith('payments-'))
          .length === 3,
    );
    const generated = (await client.list(applications)).items;
    await until(applicationSets, items =>
      items.every(
        ({ metadata, status }) =>
          status?.resources?.length ===
            generated.filter(
              application =>
                application.metadata.ownerReferences?.[0].uid === metadata.uid,
            ).length &&
          status.resources.every(
            ({ name, health }) =>
              !name.startsWith('payments') || health?.status === 'Healthy',
          ),
      ),
    );
    await fleet?.stop();
    hub.clearRequests();

    await start();
    // The effect of a new work shows that the first reconciles are done.
    await client.create(manifestWorks, REMEDY);
    await untilHealth({ cluster1: 'Healthy' });
    const writes = hub.requests.filter(
      ({ method, path }) =>
        method === 'PATCH' &&
        !path.includes('/cluster1/') &&
        !path.includes('argo-admin'),
    );
    expect(writes).toEqual([]);
  });
});

describe('a hub that stops', () => {
  it('is watched and seeded again after it restarts empty', async () => {
    const first = await startEmbeddedHub();
    const kubeconfig = first.kubeconfig();
    const warnings: string[] = [];
    const fleet = await startSimulatedFleet({
      kubeconfig,
      scenario,
      speed: 20,
      logger: {
        ...silentLogger,
        warn: message => warnings.push(message),
      },
    });
    await fleet.ready;
    await first.stop();
    const port = Number(new URL(first.url).port);
    const second = await startEmbeddedHub({ port });
    const client = createHubClient(loadKubeConfig(kubeconfig));
    const metadata = { name: 'pcluster1' };
    await client.create(managedClusters, {
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata,
      spec: { hubAcceptsClient: true },
    });
    const { resourceVersion } = await client.list(managedClusters);
    let joined = (await client.get(managedClusters, metadata)).status;
    const abort = new AbortController();
    if (!joined?.conditions) {
      for await (const { object } of client.watch(
        managedClusters,
        { resourceVersion },
        abort.signal,
      )) {
        joined = object.status;
        if (joined?.conditions) {
          break;
        }
      }
    }
    expect(joined?.conditions).toContainEqual(
      expect.objectContaining({ type: 'ManagedClusterJoined' }),
    );
    expect(warnings.join('\n')).toContain('managedclusters');
    abort.abort();
    await fleet.stop();
    await client.close();
    await second.stop();
  });
});

describe('an unusable hub', () => {
  it('is reported if it does not answer', async () => {
    const hub = await startEmbeddedHub();
    const kubeconfig = hub.kubeconfig();
    await hub.stop();
    const pauses = jest
      .spyOn(timers, 'setTimeout')
      .mockImplementation(() => Promise.resolve() as Promise<never>);
    try {
      await expect(
        startSimulatedFleet({ kubeconfig, scenario }),
      ).rejects.toThrow(`The hub ${hub.url} cannot be used`);
      expect(pauses.mock.calls.map(([milliseconds]) => milliseconds)).toEqual([
        100, 200, 400, 800, 1600,
      ]);
    } finally {
      pauses.mockRestore();
    }
  });

  it('is reported with the missing CustomResourceDefinition', async () => {
    const hub = await startEmbeddedHub();
    const client = createHubClient(loadKubeConfig(hub.kubeconfig()));
    await client.delete(
      {
        group: 'apiextensions.k8s.io',
        version: 'v1',
        kind: 'CustomResourceDefinition',
        plural: 'customresourcedefinitions',
        namespaced: false,
      },
      { name: 'manifestworks.work.open-cluster-management.io' },
    );
    await expect(
      startSimulatedFleet({ kubeconfig: hub.kubeconfig(), scenario }),
    ).rejects.toThrow(
      /does not serve manifestworks\.work\.open-cluster-management\.io\/v1: install the CustomResourceDefinition/,
    );
    await client.close();
    await hub.stop();
  });
});
