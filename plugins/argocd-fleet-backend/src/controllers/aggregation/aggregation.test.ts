import type { TestBackend } from '@backstage/backend-test-utils';
import type {
  ArgoApplication,
  ArgoApplicationSet,
  ControllerRun,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import {
  defaultScenario,
  startSimulatedFleet,
  type SimulatedFleet,
} from 'simulated-fleet';
import request from 'supertest';
import { oneHub, startFleetBackend } from '../../__testUtils__/fleetBackend';
import {
  describeGarbageCollected,
  startTestHub,
  type TestHub,
} from '../../__testUtils__/hubFixture';
import { waitFor } from '../../__testUtils__/waitFor';

const SET = {
  namespace: 'openshift-gitops',
  name: 'guestbook-allclusters-app-set',
};

/** The product documentation's example as it runs, with everybody who takes part in it. */
describe('the fleet of the product documentation', () => {
  let testHub: TestHub;
  let fleet: SimulatedFleet;
  let backend: TestBackend;
  let admin: TestHub['admin'];

  beforeAll(async () => {
    testHub = await startTestHub();
    ({ admin } = testHub);
    const often = { fullPassEvery: '100ms' };
    backend = await startFleetBackend({
      argocdFleet: oneHub(testHub.kubeconfigPath, {
        controllers: {
          clusterImport: often,
          propagation: often,
          applicationStatus: often,
          aggregation: often,
          resourceSync: often,
        },
      }),
    });
    fleet = await startSimulatedFleet({
      kubeconfig: { path: testHub.adminKubeconfigPath },
      // What is progressing becomes healthy when a test says so.
      scenario: {
        ...defaultScenario,
        timings: { ...defaultScenario.timings, progressingSeconds: 1e6 },
      },
      speed: 20,
    });
    await fleet.ready;
  });

  afterAll(async () => {
    await backend.stop();
    await fleet.stop();
    await testHub.stop();
  });

  async function guestbookWorks(): Promise<ManifestWork[]> {
    const works = await admin.list('works');
    return works.filter(({ metadata }) =>
      metadata.name.includes('guestbook-app'),
    );
  }

  async function clusters() {
    return (await guestbookWorks())
      .map(({ metadata }) => metadata.namespace)
      .sort();
  }

  async function summary() {
    return (await admin.get('reports', SET))?.statuses.summary;
  }

  /** The guestbook's Deployments become available on the clusters on which it may be deployed. */
  function becomeHealthy() {
    const health = { status: 'Healthy' };
    for (const { store } of fleet.clusters.values()) {
      const applications = store.list(
        'argoproj.io',
        'applications',
      ) as ArgoApplication[];
      for (const { status, ...application } of applications) {
        if (status?.health?.status === 'Progressing') {
          const resources = status.resources?.map(resource =>
            resource.health ? { ...resource, health } : resource,
          );
          store.put({
            ...application,
            status: { ...status, health, resources },
          } as Parameters<typeof store.put>[0]);
        }
      }
    }
  }

  async function expectSummary(expected: object) {
    await waitFor(async () => {
      expect(await summary()).toEqual(expected);
      return true;
    });
  }

  const progressing = {
    clusters: '3',
    healthy: '0',
    inProgress: '2',
    notHealthy: '3',
    notSynced: '1',
    synced: '2',
  };

  const settled = {
    clusters: '3',
    healthy: '2',
    inProgress: '0',
    notHealthy: '1',
    notSynced: '1',
    synced: '2',
  };

  it('delivers to the three clusters and not to the hub, and reports progress and result', async () => {
    await waitFor(async () => (await clusters()).length === 3);
    expect(await clusters()).toEqual(['cluster1', 'pcluster1', 'pcluster2']);

    await expectSummary(progressing);
    becomeHealthy();
    await expectSummary(settled);

    const report = await admin.get('reports', SET);
    const [cluster1] = report!.statuses.clusterConditions!;
    expect(cluster1).toMatchObject({
      cluster: 'cluster1',
      healthStatus: 'Missing',
      syncStatus: 'OutOfSync',
    });
    expect(cluster1.conditions?.[0]).toMatchObject({
      type: 'SyncError',
      message: expect.stringContaining('is forbidden'),
    });
  });

  it('writes nothing more once nothing changes', async () => {
    const passesSince = async (start: string) => {
      const { body } = await request(backend.server).get(
        '/api/argocd-fleet/controllers',
      );
      return body.items.every(
        ({ lastPassAt }: ControllerRun) => lastPassAt! > start,
      );
    };
    // Statuses of the other fleets may still be on their way the first times.
    await waitFor(async () => {
      testHub.clearRequests();
      const start = new Date().toISOString();
      await waitFor(() => passesSince(start));
      expect(testHub.writes()).toEqual([]);
      return true;
    });
    expect(await summary()).toEqual(settled);
  });

  it('copies a new revision of the ApplicationSet to all works', async () => {
    await admin.patch('applicationSets', SET, {
      spec: { template: { spec: { source: { targetRevision: 'v2' } } } },
    });
    await waitFor(async () => {
      const works = await guestbookWorks();
      expect(works.map(revisionOf)).toEqual(['v2', 'v2', 'v2']);
      return true;
    });
  });

  describeGarbageCollected('where Kubernetes collects garbage', () => {
    it('removes works and report with the ApplicationSet, and creates them again with it', async () => {
      const set = (await admin.get('applicationSets', SET))!;
      await admin.delete('applicationSets', SET);
      await waitFor(async () => (await clusters()).length === 0);
      await waitFor(async () => !(await admin.get('reports', SET)));

      const again: ArgoApplicationSet = {
        apiVersion: set.apiVersion,
        kind: set.kind,
        metadata: SET,
        spec: set.spec,
      };
      await admin.create('applicationSets', again);
      await waitFor(async () => (await clusters()).length === 3);
      await expectSummary(progressing);
      becomeHealthy();
      await expectSummary(settled);
      expect(await clusters()).toHaveLength(3);
    });
  });

  it('does not touch a report that another client created', async () => {
    const foreign = {
      apiVersion: 'apps.open-cluster-management.io/v1alpha1',
      kind: 'MulticlusterApplicationSetReport',
      metadata: {
        namespace: SET.namespace,
        name: 'foreign',
        labels: {
          'apps.open-cluster-management.io/hosting-applicationset':
            'openshift-gitops.foreign',
        },
      },
    };
    await admin.create('reports', foreign);
    const ours = {
      ...foreign,
      metadata: {
        ...foreign.metadata,
        name: 'ours',
        labels: {
          ...foreign.metadata.labels,
          'app.kubernetes.io/managed-by': 'argocd-fleet',
        },
      },
    };
    await admin.create('reports', ours);
    const key = (name: string) => ({ namespace: SET.namespace, name });
    await waitFor(async () => !(await admin.get('reports', key('ours'))));
    expect(await admin.get('reports', key('foreign'))).toBeDefined();
  });
});

function revisionOf({ spec }: ManifestWork): string | undefined {
  const [payload] = spec.workload!.manifests as ArgoApplication[];
  return payload.spec.source?.targetRevision;
}
