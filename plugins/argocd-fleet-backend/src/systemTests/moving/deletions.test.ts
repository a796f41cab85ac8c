import { defaultScenario } from 'simulated-fleet';
import {
  describeGarbageCollected,
  type AdminClient,
} from '../../__testUtils__/hubFixture';
import { waitFor } from '../../__testUtils__/waitFor';
import {
  CLUSTERS,
  NAMESPACE,
  startMovingFleet,
  type MovingFleet,
  type MovingSet,
} from './__testUtils__/movingFleet';

/** Each test has an ApplicationSet for itself, all on one hub. */
const SETS = ['placed', 'remade', 'retargeted', 'moved', 'deleted', 'waves'];
const EDGE_SET = 'inventory-edge';
/** Ends the fault of the edge clusters. */
const ARGO_CD_IS_ADMIN = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'argo-cd-admin' },
  roleRef: { kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [
    {
      kind: 'ServiceAccount',
      name: defaultScenario.argocd.serviceAccount,
      namespace: NAMESPACE,
    },
  ],
};

/** What is deleted on the hub, with the agents and Argo CDs of the clusters: what runs there in the end, and all the time. */
describe('on the managed clusters', () => {
  let fleet: MovingFleet;
  let admin: AdminClient;

  beforeAll(async () => {
    fleet = await startMovingFleet(SETS, {
      withEdges: true,
      faults: [
        {
          type: 'forbidden',
          clusters: ['edge-*'],
          applications: ['*-retargeted'],
          kinds: ['Deployment'],
          unlessBoundTo: 'cluster-admin',
        },
      ],
    });
    ({ admin } = fleet.testHub);
  });

  afterAll(() => fleet?.stop());

  function selectClusters(
    placement: string,
    matchLabels: Record<string, string>,
  ) {
    return admin.patch(
      'placements',
      { namespace: NAMESPACE, name: placement },
      {
        spec: {
          predicates: [
            { requiredClusterSelector: { labelSelector: { matchLabels } } },
          ],
        },
      },
    );
  }

  it('everything stays when the Placement selects nothing any more, and goes on when it selects again', async () => {
    const set = fleet.set('placed');
    await selectClusters(set.name, { cloud: 'nowhere' });
    await waitFor(async () => (await set.codes()).includes('AFC-126'));
    const held = await set.workUids();
    expect(held).toHaveLength(3);
    await selectClusters(set.name, { cloud: 'Amazon' });
    await waitFor(async () => {
      const now = await set.workUids();
      return now.length === 3 && !now.some(uid => held.includes(uid));
    });
    await waitFor(async () => (await set.codes()).length === 0);
    expect(set.lost()).toEqual([]);
  });

  it('nothing changes when an Application is deleted that its set makes again', async () => {
    const set = fleet.set('remade');
    const before = await set.workUids();
    await admin.delete('applications', {
      namespace: NAMESPACE,
      name: `cluster1-${set.name}`,
    });
    await waitFor(async () => {
      const now = await set.workUids();
      return (
        now.length === 3 &&
        now.filter(uid => !before.includes(uid)).length === 1
      );
    });
    expect(set.lost()).toEqual([]);
  });

  it('an Application goes from one cluster to another one only after it runs there', async () => {
    const set = fleet.set('retargeted');
    const targets = {
      cluster1: 'edge-eu-01',
      pcluster1: 'edge-us-01',
      pcluster2: 'edge-ap-01',
    };
    await set.patch({
      spec: {
        generators: [
          {
            list: {
              elements: Object.entries(targets).map(([name, target]) => ({
                name,
                target,
              })),
            },
          },
        ],
        template: {
          metadata: {
            annotations: {
              'apps.open-cluster-management.io/ocm-managed-cluster':
                '{{target}}',
            },
          },
        },
      },
    });
    // Argo CD may not create the Deployment on the new clusters.
    for (const cluster of CLUSTERS) {
      await waitFor(async () =>
        (await set.steps(cluster)).includes('synced failed AFC-204'),
      );
    }
    await fleet.pass(2);
    expect(await set.works()).toHaveLength(6);
    expect(set.lost()).toEqual([]);

    for (const [index, target] of Object.values(targets).entries()) {
      fleet.clusters.get(target)!.store.put(ARGO_CD_IS_ADMIN);
      await waitFor(() => set.isGoneFrom(CLUSTERS[index]));
      expect(set.runs(target)).toBe(true);
      expect(set.lost()).toEqual(CLUSTERS.slice(0, index + 1));
    }
    await waitFor(async () => (await set.works()).length === 3);
    expect(Object.values(targets).filter(set.isGoneFrom)).toEqual([]);
    expect(await fleet.hubCodes()).not.toContain('AFC-126');
  });

  it('the workload runs all the time when the Application moves to another namespace', async () => {
    const set = fleet.set('moved');
    for (const cluster of CLUSTERS) {
      fleet.clusters.get(cluster)!.store.put({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'argocd' },
      });
    }
    await set.patch({
      spec: {
        template: {
          metadata: {
            annotations: {
              'apps.open-cluster-management.io/ocm-managed-cluster-app-namespace':
                'argocd',
            },
          },
        },
      },
    });
    await waitFor(() =>
      CLUSTERS.every(
        cluster =>
          set.applicationOn(cluster, 'argocd') !== undefined &&
          set.applicationOn(cluster) === undefined,
      ),
    );
    await waitFor(async () => (await set.works()).length === 3);
    expect(set.lost()).toEqual([]);
  });

  async function isGone(set: MovingSet) {
    return (
      CLUSTERS.every(set.isGoneFrom) &&
      (await set.works()).length === 0 &&
      (await set.applications()).length === 0
    );
  }

  it('everything goes with the ApplicationSet', async () => {
    const set = fleet.set('deleted');
    await set.remove();
    await waitFor(() => isGone(set));
    expect([...set.lost()].sort()).toEqual(CLUSTERS);
    expect(await fleet.hubCodes()).not.toContain('AFC-126');
  });

  describeGarbageCollected('with deletionOrder Reverse', () => {
    it('everything goes with the ApplicationSet, one step after the other', async () => {
      const set = fleet.set('waves');
      await set.patch({
        spec: {
          strategy: {
            type: 'RollingSync',
            deletionOrder: 'Reverse',
            rollingSync: {
              steps: ['cluster1', 'pcluster2', 'pcluster1'].map(cluster => ({
                matchExpressions: [
                  { key: 'cluster', operator: 'In', values: [cluster] },
                ],
              })),
            },
          },
        },
      });
      // Only then does Argo CD delete in that order.
      await waitFor(async () => {
        const now = await admin.get('applicationSets', {
          namespace: NAMESPACE,
          name: set.name,
        });
        return now?.metadata.finalizers?.length === 1;
      });
      const works = await set.works();
      await set.remove();
      await waitFor(() => isGone(set));
      await waitFor(
        async () =>
          (await admin.get('applicationSets', {
            namespace: NAMESPACE,
            name: set.name,
          })) === undefined,
      );
      expect(fleet.deletedWorks(works)).toEqual([
        'pcluster1',
        'pcluster2',
        'cluster1',
      ]);
      expect(set.lost()).toEqual(['pcluster1', 'pcluster2', 'cluster1']);
      expect(await fleet.hubCodes()).not.toContain('AFC-126');
    });
  });

  // The last one: most of the hub's works are held afterwards.
  it('everything stays on forty clusters too', async () => {
    const edges = [...fleet.clusters.keys()].filter(name =>
      name.startsWith('edge-'),
    );
    const isComplete = (cluster: string) =>
      fleet.clusters.get(cluster)!.workloads.list().length > 0;
    await waitFor(() => edges.every(isComplete));
    expect(edges).toHaveLength(40);
    await selectClusters('edge-stores', { site: 'nowhere' });
    await waitFor(async () =>
      (await fleet.set(EDGE_SET).findings()).some(
        ({ code, title }) =>
          code === 'AFC-126' && title === '40 deletions are held',
      ),
    );
    expect(edges.filter(cluster => !isComplete(cluster))).toEqual([]);
  });
});
