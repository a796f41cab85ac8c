import type { TestBackend } from '@backstage/backend-test-utils';
import type {
  ClusterApplication,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import {
  parseScenario,
  startSimulatedFleet,
  type SimulatedFleet,
} from 'simulated-fleet';
import request from 'supertest';
import { oneHub, startFleetBackend } from '../../__testUtils__/fleetBackend';
import { startTestHub, type TestHub } from '../../__testUtils__/hubFixture';
import { waitFor } from '../../__testUtils__/waitFor';

const NAMESPACE = 'openshift-gitops';
const SET = { namespace: NAMESPACE, name: 'shop' };
const SET_PATH = `/api/argocd-fleet/applicationsets/hub/${NAMESPACE}/shop`;
const ROLLOUT = { cluster: 'one', rollout: 'api' };

const SCENARIO = `
clusters: [{ name: one, clusterSet: shops }]
timings: { progressingSeconds: 1, rolloutStepSeconds: 1 }
workloads:
  - path: shop
    resources:
      - { kind: Service, name: api }
      - group: argoproj.io
        version: v1alpha1
        kind: Rollout
        name: api
        images: ['registry.example.com/api:1']
        rollout:
          canary:
            steps:
              [{ setWeight: 20 }, { pause: {} }, { setWeight: 60 }, { pause: {} }]
      - group: argoproj.io
        version: v1alpha1
        kind: Application
        name: child
        namespace: ${NAMESPACE}
  - path: child
    resources: [{ kind: ConfigMap, name: settings }]
objects:
  - apiVersion: cluster.open-cluster-management.io/v1beta2
    kind: ManagedClusterSet
    metadata: { name: shops }
    spec: { clusterSelector: { selectorType: ExclusiveClusterSetLabel } }
  - apiVersion: cluster.open-cluster-management.io/v1beta2
    kind: ManagedClusterSetBinding
    metadata: { name: shops, namespace: ${NAMESPACE} }
    spec: { clusterSet: shops }
  - apiVersion: cluster.open-cluster-management.io/v1beta1
    kind: Placement
    metadata: { name: shops, namespace: ${NAMESPACE} }
    spec: { clusterSets: [shops] }
  - apiVersion: v1
    kind: ConfigMap
    metadata: { name: ocm-placement-generator, namespace: ${NAMESPACE} }
    data:
      apiVersion: cluster.open-cluster-management.io/v1beta1
      kind: placementdecisions
      statusListKey: decisions
      matchKey: clusterName
  - apiVersion: argoproj.io/v1alpha1
    kind: AppProject
    metadata: { name: default, namespace: ${NAMESPACE} }
    spec: { sourceRepos: ['*'], destinations: [{ namespace: '*', server: '*' }] }
  - apiVersion: argoproj.io/v1alpha1
    kind: ApplicationSet
    metadata: { name: shop, namespace: ${NAMESPACE} }
    spec:
      generators:
        - clusterDecisionResource:
            configMapRef: ocm-placement-generator
            labelSelector:
              matchLabels: { cluster.open-cluster-management.io/placement: shops }
      template:
        metadata:
          name: '{{name}}-shop'
          labels: &labels
            { apps.open-cluster-management.io/pull-to-ocm-managed-cluster: 'true' }
          annotations:
            apps.open-cluster-management.io/ocm-managed-cluster: '{{name}}'
            argocd.argoproj.io/skip-reconcile: 'true'
        spec: &spec
          project: default
          source: &source
            { repoURL: 'https://git.example.com/deploy.git', path: shop, targetRevision: v1 }
          destination: &destination
            { server: 'https://kubernetes.default.svc', namespace: shop }
          syncPolicy: &syncPolicy
            automated: { prune: true, selfHeal: true }
            syncOptions: [CreateNamespace=true]
  # Argo CD of the cluster would make it; here the pull model brings it.
  - apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata:
      name: child
      namespace: ${NAMESPACE}
      labels: *labels
      annotations:
        apps.open-cluster-management.io/ocm-managed-cluster: one
        argocd.argoproj.io/skip-reconcile: 'true'
    spec:
      project: default
      source:
        { repoURL: 'https://git.example.com/deploy.git', path: child, targetRevision: v1 }
      destination: *destination
      syncPolicy: *syncPolicy
`;

describe('the objects of an Application', () => {
  let testHub: TestHub;
  let fleet: SimulatedFleet;
  let backend: TestBackend;

  beforeAll(async () => {
    testHub = await startTestHub();
    fleet = await startSimulatedFleet({
      kubeconfig: { path: testHub.adminKubeconfigPath },
      scenario: parseScenario(SCENARIO, 'the test'),
      speed: 20,
    });
    await fleet.ready;
    backend = await startFleetBackend({
      argocdFleet: oneHub(testHub.kubeconfigPath, {
        controllers: { propagation: { fullPassEvery: '200ms' } },
      }),
    });
  });

  afterAll(async () => {
    await backend.stop();
    await fleet.stop();
    await testHub.stop();
  });

  async function row(): Promise<ClusterApplication> {
    const { body } = await request(backend.server).get(SET_PATH);
    return body.applications[0];
  }

  async function work(application: string): Promise<ManifestWork | undefined> {
    const works = await testHub.admin.list('works');
    return works.find(({ metadata }) => metadata.name.startsWith(application));
  }

  async function becomes(expected: object): Promise<ClusterApplication> {
    return waitFor(async () => {
      const now = await row();
      expect(now).toMatchObject(expected);
      return now;
    });
  }

  it('are observed by its work, and a canary is reported step by step', async () => {
    const started = await becomes({
      health: 'Healthy',
      rollouts: [
        {
          namespace: 'shop',
          name: 'api',
          phase: 'Healthy',
          strategy: 'canary',
          step: 4,
          steps: 4,
          weight: 100,
        },
      ],
      childApplications: [
        {
          namespace: NAMESPACE,
          name: 'child',
          health: 'Healthy',
          sync: 'Synced',
        },
      ],
      history: [{ id: 0 }],
      images: ['registry.example.com/api:1'],
    });
    expect(started.steps.every(({ state }) => state === 'done')).toBe(true);

    const { spec } = (await testHub.admin.get('applicationSets', SET))!;
    const template = structuredClone(spec.template!);
    await testHub.admin.patch('applicationSets', SET, {
      spec: {
        template: {
          spec: {
            source: { ...template.spec!.source, targetRevision: 'v2' },
          },
        },
      },
    });
    const paused = await becomes({
      health: 'Suspended',
      rollouts: [
        { phase: 'Paused', step: 1, weight: 20, message: 'CanaryPauseStep' },
      ],
    });
    expect(paused.history?.map(({ id }) => id)).toEqual([1, 0]);

    fleet.rollouts.promote(ROLLOUT);
    await becomes({ rollouts: [{ phase: 'Paused', step: 3, weight: 60 }] });
    fleet.rollouts.promote(ROLLOUT);
    await becomes({
      health: 'Healthy',
      rollouts: [{ phase: 'Healthy', step: 4, weight: 100 }],
    });
  });

  it('cause no further write, however often it is reconciled', async () => {
    testHub.clearRequests();
    const passes = async () => {
      const { body } = await request(backend.server).get(
        '/api/argocd-fleet/controllers',
      );
      return body.items.find(
        ({ controller }: { controller: string }) =>
          controller === 'propagation',
      ).lastPassAt;
    };
    for (let pass = 0; pass < 3; pass += 1) {
      const before = await passes();
      await waitFor(async () => (await passes()) !== before);
    }
    expect(
      testHub.writes().filter(write => write.includes('manifestworks')),
    ).toEqual([]);
  });

  it('stay on the cluster when the work that observed them is deleted', async () => {
    const before = (await work('child'))!;
    await testHub.admin.delete('applicationSets', SET);
    await waitFor(async () => (await work('one-shop')) === undefined);
    const after = (await work('child'))!;
    expect(after.metadata.uid).toBe(before.metadata.uid);
    expect(after.status?.resourceStatus).toEqual(before.status?.resourceStatus);
    // The Rollout was the Application's own.
    await waitFor(() => {
      expect(() => fleet.rollouts.get(ROLLOUT)).toThrow('has no Rollout');
      return true;
    });
  });
});
