import { ManagedCluster, Placement, Taint } from '../kubernetes/clusterTypes';
import { placementStatus, ungroupedDecisions } from './placementDecisions';
import { PlacementInputs, selectClusters } from './selectClusters';

const NOW = new Date('2026-01-01T00:00:00Z');
const SET_LABEL = 'cluster.open-cluster-management.io/clusterset';
const API = 'cluster.open-cluster-management.io/v1';

const cluster = (
  name: string,
  labels: Record<string, string> = {},
  taints: Taint[] = [],
): ManagedCluster => ({
  apiVersion: API,
  kind: 'ManagedCluster',
  metadata: { name, labels: { [SET_LABEL]: 'blue', ...labels } },
  spec: { taints },
  status: { clusterClaims: [{ name: 'platform', value: labels.p ?? 'AWS' }] },
});

const placement = (spec: Placement['spec'] = {}): Placement => ({
  apiVersion: 'cluster.open-cluster-management.io/v1beta1',
  kind: 'Placement',
  metadata: { name: 'p', namespace: 'ns', uid: 'uid' },
  spec,
});

const named = (name: string, spec?: object) => ({
  apiVersion: API,
  kind: 'X',
  metadata: { name },
  spec,
});

const inputs = (
  clusters: ManagedCluster[],
  overrides: Partial<PlacementInputs> = {},
): PlacementInputs => ({
  bindings: [named('blue'), named('gone')],
  clusterSets: [named('blue'), named('red')],
  clusters,
  selected: new Set(),
  now: NOW,
  ...overrides,
});

const CLUSTERS = [
  cluster('a', { env: 'prod' }),
  cluster('b', { env: 'dev', p: 'GCP' }),
  cluster('c', { env: 'prod', [SET_LABEL]: 'red' }),
  cluster('d', {}, [{ key: 'k', effect: 'NoSelect' }]),
];

describe('selectClusters', () => {
  const label = (env: string) => ({
    requiredClusterSelector: { labelSelector: { matchLabels: { env } } },
  });

  it.each<[string, Placement['spec'], string[]]>([
    ['every cluster of the bound sets', {}, ['a', 'b']],
    ['by label', { predicates: [label('prod')] }, ['a']],
    [
      'by any of several predicates',
      { predicates: [label('prod'), label('dev')] },
      ['a', 'b'],
    ],
    [
      'by claim',
      {
        predicates: [
          {
            requiredClusterSelector: {
              claimSelector: {
                matchExpressions: [
                  { key: 'platform', operator: 'In', values: ['GCP'] },
                ],
              },
            },
          },
        ],
      },
      ['b'],
    ],
    ['only clusters of bound sets', { clusterSets: ['red'] }, []],
    ['numberOfClusters clusters', { numberOfClusters: 1 }, ['a']],
    [
      'tainted clusters with tolerations',
      { tolerations: [{ key: 'k', operator: 'Exists' }] },
      ['a', 'b', 'd'],
    ],
  ])('selects %s', (_, spec, expected) => {
    const { clusterNames } = selectClusters(placement(spec), inputs(CLUSTERS));
    expect(clusterNames).toEqual(expected);
  });

  it('keeps selected clusters', () => {
    const { clusterNames } = selectClusters(
      placement({ numberOfClusters: 1 }),
      inputs(CLUSTERS, { selected: new Set(['b']) }),
    );
    expect(clusterNames).toEqual(['b']);
  });

  it('returns the time until a toleration expires', () => {
    const tainted = cluster('x', {}, [
      { key: 'k', effect: 'NoSelect', timeAdded: '2025-12-31T23:59:00Z' },
    ]);
    const select = (tolerationSeconds: number) =>
      selectClusters(
        placement({
          tolerations: [{ key: 'k', operator: 'Exists', tolerationSeconds }],
        }),
        inputs([tainted]),
      );
    expect(select(61)).toMatchObject({
      clusterNames: ['x'],
      expiresInMs: 1000,
    });
    expect(select(60).clusterNames).toEqual([]);
    expect(select(59).clusterNames).toEqual([]);
  });
});

describe('ungroupedDecisions', () => {
  it.each([
    [0, [0]],
    [1, [1]],
    [100, [100]],
    [101, [100, 1]],
    [250, [100, 100, 50]],
  ])('splits %i clusters into objects of %j', (count, sizes) => {
    const names = Array.from({ length: count }, (_, i) => `c${i}`);
    const decisions = ungroupedDecisions(placement(), names);

    expect(decisions.map(d => d.status?.decisions?.length)).toEqual(sizes);
    expect(decisions[0].metadata).toMatchObject({
      name: 'p-decision-1',
      labels: { 'cluster.open-cluster-management.io/placement': 'p' },
      ownerReferences: [{ kind: 'Placement', uid: 'uid' }],
    });
  });
});

describe('placementStatus', () => {
  it.each<[string, Placement['spec'], Partial<PlacementInputs>, string]>([
    ['all scheduled', {}, {}, 'AllDecisionsScheduled'],
    ['no binding', {}, { bindings: [] }, 'NoManagedClusterSetBindings'],
    ['no such set', { clusterSets: ['red'] }, {}, 'NoIntersection'],
    ['no cluster', {}, { clusters: [] }, 'AllManagedClusterSetsEmpty'],
    ['too few', { numberOfClusters: 9 }, {}, 'NotAllDecisionsScheduled'],
    [
      'no match',
      {
        predicates: [
          {
            requiredClusterSelector: {
              labelSelector: { matchLabels: { no: 'where' } },
            },
          },
        ],
      },
      {},
      'NoManagedClusterMatched',
    ],
  ])('gives the reason: %s', (_, spec, overrides, reason) => {
    const subject = placement(spec);
    const selection = selectClusters(subject, inputs(CLUSTERS, overrides));
    const status = placementStatus(subject, selection, [], NOW);
    expect(
      status.conditions?.find(c => c.type === 'PlacementSatisfied'),
    ).toMatchObject({
      reason,
      status: reason === 'AllDecisionsScheduled' ? 'True' : 'False',
    });
  });

  it('reports a misconfigured Placement', () => {
    const subject = placement({ tolerations: [{ operator: 'Equal' }] });
    const selection = selectClusters(subject, inputs(CLUSTERS));
    expect(
      placementStatus(subject, selection, [], NOW).conditions,
    ).toContainEqual(
      expect.objectContaining({
        type: 'PlacementMisconfigured',
        status: 'True',
        message: 'If the key is empty, operator must be Exists.',
      }),
    );
  });
});
