import type { TestBackend } from '@backstage/backend-test-utils';
import {
  PULL_LABEL,
  RELEASE_ANNOTATION,
  type ApplicationSetRows,
  type DeliveryStep,
  type Finding,
  type ManifestWork,
  type TransitionPage,
} from 'backstage-plugin-argocd-fleet-common';
import request from 'supertest';
import {
  defaultScenario,
  startSimulatedFleet,
  type SimulatedFleet,
} from 'simulated-fleet';
import { EXAMPLE_SET, EXAMPLE_SET_PATH } from '../__testUtils__/exampleFleet';
import { oneHub, startFleetBackend } from '../__testUtils__/fleetBackend';
import { startTestHub, type TestHub } from '../__testUtils__/hubFixture';
import { waitFor } from '../__testUtils__/waitFor';

const NAMESPACE = EXAMPLE_SET.namespace;
const OCM = 'apps.open-cluster-management.io';
const CLUSTERS = ['cluster1', 'pcluster1', 'pcluster2'];
const APPLICATION = {
  group: 'argoproj.io',
  resource: 'applications',
  namespace: NAMESPACE,
};
/** Where Argo CD on the clusters deploys the example. */
const GUESTBOOK = 'guestbook';
/** What Argo CD deploys on one cluster. */
const WORKLOAD = ['Deployment', 'Service'];

/** The ways in and out, with the agents and Argo CDs of the clusters: what runs there in the end, and all the time. */
describe('on the managed clusters', () => {
  let testHub: TestHub;
  let admin: TestHub['admin'];
  let fleet: SimulatedFleet;
  let backend: TestBackend;
  /** Clusters without their workload at any time since `watchWorkloads`. */
  let lost: Set<string>;

  beforeEach(async () => {
    testHub = await startTestHub();
    ({ admin } = testHub);
    fleet = await startSimulatedFleet({
      kubeconfig: { path: testHub.adminKubeconfigPath },
      scenario: {
        ...defaultScenario,
        faults: [],
        timeline: [],
        clusters: defaultScenario.clusters.map(cluster => ({
          ...cluster,
          stopsReportingAfterSeconds: undefined,
        })),
      },
      speed: 20,
    });
    await fleet.ready;
    backend = await startFleetBackend({
      argocdFleet: oneHub(testHub.kubeconfigPath, {
        controllers: { propagation: { fullPassEvery: '500ms' } },
        propagation: {
          appNamespaces: { [NAMESPACE]: [NAMESPACE, 'argocd'] },
        },
      }),
      plugin: {
        removalTimes: { batchMs: 1_000, freezeMs: 500, successorMs: 3_000 },
      },
    });
    await waitFor(() => CLUSTERS.every(runs));
    await waitFor(async () => (await codes()).length === 0);
    watchWorkloads();
  });

  afterEach(async () => {
    await backend?.stop();
    await fleet?.stop();
    await testHub?.stop();
  });

  function workloadOf(cluster: string, namespace = GUESTBOOK): string[] {
    return fleet.clusters
      .get(cluster)!
      .workloads.list()
      .filter(workload => workload.namespace === namespace)
      .map(({ kind }) => kind)
      .sort();
  }

  function runs(cluster: string): boolean {
    return workloadOf(cluster).join() === WORKLOAD.join();
  }

  function watchWorkloads() {
    lost = new Set();
    CLUSTERS.forEach(cluster => {
      const { workloads } = fleet.clusters.get(cluster)!;
      const { delete: deleteWorkload } = workloads;
      jest.spyOn(workloads, 'delete').mockImplementation(application => {
        deleteWorkload(application);
        if (!runs(cluster)) {
          lost.add(cluster);
        }
      });
    });
  }

  function applicationOn(cluster: string, namespace = NAMESPACE) {
    return fleet.clusters.get(cluster)!.store.get({
      ...APPLICATION,
      namespace,
      name: `${cluster}-guestbook-app`,
    });
  }

  async function works(): Promise<readonly ManifestWork[]> {
    return (await admin.list('works')).filter(({ metadata }) =>
      metadata.name.includes('-guestbook-app-'),
    );
  }

  async function findings(): Promise<readonly Finding[]> {
    const { body } = await request(backend.server).get(EXAMPLE_SET_PATH);
    return body.findings ?? [];
  }

  /** The code on each step of the path of an Application. */
  async function stepsOf(cluster: string): Promise<readonly string[]> {
    const { body } = await request(backend.server).get(
      `/api/argocd-fleet/applications/hub/${NAMESPACE}/${cluster}-guestbook-app`,
    );
    return body.steps.map(({ id, state, finding }: DeliveryStep) =>
      [id, state, ...(finding ? [finding.code] : [])].join(' '),
    );
  }

  /** The last error in the timeline of an Application. */
  async function lastError(cluster: string): Promise<string | undefined> {
    const { body } = await request(backend.server).get(
      `/api/argocd-fleet/applications/hub/${NAMESPACE}/${cluster}-guestbook-app/transitions`,
    );
    return (body as TransitionPage).items[0]?.error;
  }

  async function clustersShown(): Promise<string[]> {
    const { body } = await request(backend.server).get(
      `${EXAMPLE_SET_PATH}/rows`,
    );
    return (body as ApplicationSetRows).applications.map(
      ({ cluster }) => cluster.name,
    );
  }

  async function codes(): Promise<string[]> {
    return (await findings()).map(({ code }) => code);
  }

  function patchSet(patch: object) {
    return admin.patch('applicationSets', EXAMPLE_SET, { ...patch });
  }

  function order(release: string) {
    return patchSet({
      metadata: { annotations: { [RELEASE_ANNOTATION]: release } },
    });
  }

  /** Edits the template in place, from the pull model to another one. */
  function leavePullModel() {
    return patchSet({
      spec: {
        template: {
          metadata: {
            labels: { [PULL_LABEL]: null },
            annotations: {
              [`${OCM}/ocm-managed-cluster`]: null,
              [`${OCM}/ocm-managed-cluster-app-namespace`]: null,
            },
          },
          spec: { destination: { server: null, name: '{{name}}' } },
        },
      },
    });
  }

  /** As RHACM's controllers do when they are switched off. */
  async function freeze() {
    for (const { metadata, spec } of await works()) {
      await admin.patch('works', metadata, {
        spec: {
          manifestConfigs: spec.manifestConfigs!.map(config => ({
            ...config,
            updateStrategy: { type: 'ReadOnly' },
          })),
        },
      });
    }
  }

  const strategies = async () =>
    (await works()).map(
      ({ spec }) => spec.manifestConfigs?.[0].updateStrategy?.type,
    );

  it.each(['no', null])(
    'nothing changes while the pull label is %j, and when it is back',
    async label => {
      await patchSet({
        spec: { template: { metadata: { labels: { [PULL_LABEL]: label } } } },
      });
      await waitFor(async () => (await codes()).includes('AFC-121'));
      await waitFor(async () =>
        (await strategies()).every(type => type === 'ReadOnly'),
      );
      // The hub’s Argo CD leaves the Application alone, so nothing delivers it.
      expect(await stepsOf('cluster1')).toEqual([
        'application done',
        'manifestwork failed AFC-121',
        'synced waiting',
        'healthy waiting',
      ]);
      expect(await clustersShown()).toEqual(expect.arrayContaining(CLUSTERS));
      await patchSet({
        spec: { template: { metadata: { labels: { [PULL_LABEL]: 'true' } } } },
      });
      await waitFor(async () =>
        (await strategies()).every(type => type === 'ServerSideApply'),
      );
      await waitFor(async () => (await codes()).length === 0);
      expect([...lost]).toEqual([]);
    },
  );

  describe.each([
    ['after another controller froze the works', true],
    ['with works that nobody froze', false],
  ])('on the way out of the pull model, %s,', (_, isFrozen) => {
    beforeEach(async () => {
      if (isFrozen) {
        await freeze();
      }
      await leavePullModel();
      await waitFor(async () =>
        (await codes()).some(code => ['AFC-121', 'AFC-122'].includes(code)),
      );
    });

    it('everything stays without an order', async () => {
      await waitFor(async () =>
        (await strategies()).every(type => type === 'ReadOnly'),
      );
      expect(await works()).toHaveLength(3);
      expect([...lost]).toEqual([]);
    });

    it('Applications and workloads stay for argocd-agent', async () => {
      await waitFor(async () =>
        /stays$/.test((await lastError('cluster1')) ?? ''),
      );
      await order('orphan');
      await waitFor(async () => (await works()).length === 0);
      await waitFor(
        async () => !/stays$/.test((await lastError('cluster1')) ?? ''),
      );
      expect([...lost]).toEqual([]);
      expect(CLUSTERS.map(cluster => applicationOn(cluster))).not.toContain(
        undefined,
      );
    });

    it('workloads stay for the push model', async () => {
      await order('hand-over');
      await waitFor(async () => (await works()).length === 0);
      expect([...lost]).toEqual([]);
      expect(
        CLUSTERS.filter(cluster => applicationOn(cluster) !== undefined),
      ).toEqual([]);
    });

    it('everything goes where that is ordered', async () => {
      await order('remove');
      await waitFor(async () => (await works()).length === 0);
      await waitFor(() =>
        CLUSTERS.every(cluster => workloadOf(cluster).length === 0),
      );
      expect([...lost].sort()).toEqual(CLUSTERS);
    });
  });

  it('everything stays when the Placement selects nothing any more, and goes on when it selects again', async () => {
    const placement = { namespace: NAMESPACE, name: 'aws-app-placement' };
    const select = (cloud: string) =>
      admin.patch('placements', placement, {
        spec: {
          predicates: [
            {
              requiredClusterSelector: {
                labelSelector: { matchLabels: { cloud } },
              },
            },
          ],
        },
      });
    await select('nowhere');
    await waitFor(async () => (await codes()).includes('AFC-126'));
    const held = (await works()).map(({ metadata }) => metadata.uid);
    expect(held).toHaveLength(3);
    await select('Amazon');
    await waitFor(async () => {
      const now = await works();
      return (
        now.length === 3 &&
        now.every(({ metadata }) => !held.includes(metadata.uid))
      );
    });
    await waitFor(async () => (await codes()).length === 0);
    expect([...lost]).toEqual([]);
  });

  it('everything stays on forty clusters too', async () => {
    const edges = [...fleet.clusters.keys()].filter(name =>
      name.startsWith('edge-'),
    );
    const isComplete = (cluster: string) =>
      fleet.clusters.get(cluster)!.workloads.list().length > 0;
    await waitFor(() => edges.every(isComplete));
    expect(edges).toHaveLength(40);
    await admin.patch(
      'placements',
      { namespace: NAMESPACE, name: 'edge-stores' },
      {
        spec: {
          predicates: [
            {
              requiredClusterSelector: {
                labelSelector: { matchLabels: { site: 'nowhere' } },
              },
            },
          ],
        },
      },
    );
    const path = EXAMPLE_SET_PATH.replace(EXAMPLE_SET.name, 'inventory-edge');
    await waitFor(async () => {
      const { body } = await request(backend.server).get(path);
      return body.findings.some(
        ({ code, title }: Finding) =>
          code === 'AFC-126' && title === '40 deletions are held',
      );
    });
    expect(edges.filter(cluster => !isComplete(cluster))).toEqual([]);
  });

  it('everything goes with the ApplicationSet', async () => {
    await admin.delete('applicationSets', EXAMPLE_SET);
    for (const { metadata } of await admin.list('applications')) {
      if (metadata.name.endsWith('-guestbook-app')) {
        await admin.delete('applications', metadata).catch(() => {});
      }
    }
    await waitFor(() =>
      CLUSTERS.every(cluster => workloadOf(cluster).length === 0),
    );
    await waitFor(async () => (await works()).length === 0);
    expect([...lost].sort()).toEqual(CLUSTERS);
  });

  it('nothing changes when an Application is deleted that its set makes again', async () => {
    const before = (await works()).map(({ metadata }) => metadata.uid);
    await admin.delete('applications', {
      namespace: NAMESPACE,
      name: 'cluster1-guestbook-app',
    });
    await waitFor(async () => {
      const now = (await works()).map(({ metadata }) => metadata.uid);
      return (
        now.length === 3 &&
        now.filter(uid => !before.includes(uid)).length === 1
      );
    });
    expect([...lost]).toEqual([]);
  });

  it('the workload runs all the time when the Application moves to another namespace', async () => {
    for (const cluster of CLUSTERS) {
      fleet.clusters.get(cluster)!.store.put({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'argocd' },
      });
    }
    await patchSet({
      spec: {
        template: {
          metadata: {
            annotations: {
              [`${OCM}/ocm-managed-cluster-app-namespace`]: 'argocd',
            },
          },
        },
      },
    });
    await waitFor(() =>
      CLUSTERS.every(
        cluster =>
          applicationOn(cluster, 'argocd') !== undefined &&
          applicationOn(cluster) === undefined,
      ),
    );
    await waitFor(async () => (await works()).length === 3);
    expect([...lost]).toEqual([]);
  });
});
