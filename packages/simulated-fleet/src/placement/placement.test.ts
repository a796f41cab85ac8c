import {
  ManagedCluster,
  Placement,
  PlacementDecision,
} from '../kubernetes/clusterTypes';
import {
  managedClusters,
  placementDecisions,
  placements,
} from '../kubernetes/resources';
import { FleetOnHub, startHubForFleets } from '../__testUtils__/fleetOnHub';

const SCENARIO = `
clusterSeries:
  - name: edge-{index}
    count: 250
    clusterSet: edge
    alternatingLabels: { env: [prod, prod, prod, prod, test] }
    leaseDurationSeconds: 3600
objects:
  - apiVersion: cluster.open-cluster-management.io/v1beta2
    kind: ManagedClusterSet
    metadata: { name: edge }
    spec: { clusterSelector: { selectorType: ExclusiveClusterSetLabel } }
  - apiVersion: cluster.open-cluster-management.io/v1beta2
    kind: ManagedClusterSetBinding
    metadata: { name: edge, namespace: openshift-gitops }
    spec: { clusterSet: edge }
`;

const placement = (name: string, spec: Placement['spec']): Placement => ({
  apiVersion: 'cluster.open-cluster-management.io/v1beta1',
  kind: 'Placement',
  metadata: { name, namespace: 'openshift-gitops' },
  spec,
});

describe('placement of 250 clusters', () => {
  let on: FleetOnHub;
  beforeEach(async () => {
    on = await startHubForFleets();
  });
  afterEach(() => on.stop());

  const ofPlacement = (items: PlacementDecision[], name: string) =>
    items
      .filter(
        ({ metadata }) =>
          metadata.labels?.['cluster.open-cluster-management.io/placement'] ===
          name,
      )
      .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const sizes = (items: PlacementDecision[], name: string) =>
    ofPlacement(items, name).map(
      ({ status }) => status?.decisions?.length ?? 0,
    );
  const chosen = (items: PlacementDecision[], name: string) =>
    // While decisions are being written, a cluster may be in two of them.
    [
      ...new Set(
        ofPlacement(items, name).flatMap(({ status }) =>
          (status?.decisions ?? []).map(({ clusterName }) => clusterName),
        ),
      ),
    ];
  const untilSizes = (name: string, expected: number[]) =>
    on.until(
      placementDecisions,
      items =>
        JSON.stringify(sizes(items, name)) === JSON.stringify(expected) &&
        chosen(items, name),
    );
  const taint = (name: string, timeAdded: Date) =>
    on.client.patch<ManagedCluster>(
      managedClusters,
      { name },
      {
        spec: {
          taints: [
            {
              key: 'upgrade',
              effect: 'NoSelect',
              timeAdded: timeAdded.toISOString(),
            },
          ],
        },
      },
    );

  it('splits decisions at 100 clusters, and keeps its selection while clusters are tainted and untainted', async () => {
    await on.start(SCENARIO);
    await on.client.create(placements, placement('all', {}));
    await on.client.create(
      placements,
      placement('some', { numberOfClusters: 120 }),
    );
    await on.client.create(
      placements,
      placement('in-groups', {
        decisionStrategy: {
          groupStrategy: {
            clustersPerDecisionGroup: 150,
            decisionGroups: [
              {
                groupName: 'test',
                groupClusterSelector: {
                  labelSelector: { matchLabels: { env: 'test' } },
                },
              },
            ],
          },
        },
      }),
    );
    await untilSizes('all', [100, 100, 50]);
    const before = await untilSizes('some', [100, 20]);
    await untilSizes('in-groups', [50, 100, 50, 50]);
    const grouped = await on.until(placements, items =>
      items.find(
        ({ metadata, status }) =>
          metadata.name === 'in-groups' && status?.decisionGroups?.length === 3,
      ),
    );
    expect(grouped.status?.decisionGroups).toEqual([
      {
        decisionGroupIndex: 0,
        decisionGroupName: 'test',
        decisions: ['in-groups-decision-1'],
        clusterCount: 50,
      },
      {
        decisionGroupIndex: 1,
        decisionGroupName: '',
        decisions: ['in-groups-decision-2', 'in-groups-decision-3'],
        clusterCount: 150,
      },
      {
        decisionGroupIndex: 2,
        decisionGroupName: '',
        decisions: ['in-groups-decision-4'],
        clusterCount: 50,
      },
    ]);

    const [first] = before;
    await taint(first, new Date());
    const after = await on.until(placementDecisions, items => {
      const names = chosen(items, 'some');
      return names.length === 120 && !names.includes(first) && names;
    });
    expect(after.filter(name => !before.includes(name))).toHaveLength(1);
    await untilSizes('all', [100, 100, 49]);

    // An untainted cluster does not replace a selected one.
    await on.client.patch(
      managedClusters,
      { name: first },
      { spec: { taints: null } },
    );
    await untilSizes('all', [100, 100, 50]);
    expect(
      chosen((await on.client.list(placementDecisions)).items, 'some'),
    ).toEqual(after);
  });

  it('deselects a cluster when its toleration expires', async () => {
    await on.start(SCENARIO.replace('count: 250', 'count: 3'));
    await on.client.create(
      placements,
      placement('patient', {
        tolerations: [
          { key: 'upgrade', operator: 'Exists', tolerationSeconds: 10 },
        ],
      }),
    );
    await untilSizes('patient', [3]);
    await taint('edge-02', new Date());
    expect(await untilSizes('patient', [2])).toEqual(['edge-01', 'edge-03']);
  });
});
