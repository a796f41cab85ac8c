import fc from 'fast-check';

import {
  GroupStrategy,
  ManagedCluster,
  PlacementDecision,
} from '../kubernetes/clusterTypes';
import { decisionGroups } from './decisionGroups';
import { writeOrder } from './writeOrder';

const cluster = (name: string, env: string): ManagedCluster => ({
  apiVersion: 'cluster.open-cluster-management.io/v1',
  kind: 'ManagedCluster',
  metadata: { name, labels: { env } },
});

const CLUSTERS = [
  cluster('a', 'prod'),
  cluster('b', 'canary'),
  cluster('c', 'prod'),
  cluster('d', 'canary'),
  cluster('e', 'prod'),
];

const canary = {
  groupName: 'canary',
  groupClusterSelector: {
    labelSelector: { matchLabels: { env: 'canary' } },
  },
};

describe('decision groups', () => {
  it.each<[string, GroupStrategy | undefined, [string, string[]][]]>([
    ['one without a strategy', undefined, [['', ['a', 'b', 'c', 'd', 'e']]]],
    [
      'of a fixed number of clusters',
      { clustersPerDecisionGroup: 2 },
      [
        ['', ['a', 'b']],
        ['', ['c', 'd']],
        ['', ['e']],
      ],
    ],
    [
      'of a percentage of the clusters',
      { clustersPerDecisionGroup: '50%' },
      [
        ['', ['a', 'b', 'c']],
        ['', ['d', 'e']],
      ],
    ],
    [
      'with names, followed by the rest',
      { decisionGroups: [canary] },
      [
        ['canary', ['b', 'd']],
        ['', ['a', 'c', 'e']],
      ],
    ],
    [
      'with names and a number of clusters',
      { decisionGroups: [canary], clustersPerDecisionGroup: 1 },
      [
        ['canary', ['b']],
        ['canary', ['d']],
        ['', ['a']],
        ['', ['c']],
        ['', ['e']],
      ],
    ],
  ])('are %s', (_, strategy, expected) => {
    expect(
      decisionGroups(CLUSTERS, strategy).map(group => [
        group.name,
        group.clusterNames,
      ]),
    ).toEqual(expected);
  });

  it('are one empty group without selected clusters', () => {
    expect(decisionGroups([], { clustersPerDecisionGroup: '25%' })).toEqual([
      { name: '', clusterNames: [] },
    ]);
  });
});

describe('writeOrder', () => {
  const SLICE = 3;
  const decisionsOf = (names: readonly string[]): PlacementDecision[] =>
    Array.from(
      { length: Math.ceil(names.length / SLICE) || 1 },
      (_, index) => ({
        apiVersion: 'cluster.open-cluster-management.io/v1beta1',
        kind: 'PlacementDecision',
        metadata: { name: `d-${index}`, namespace: 'ns' },
        status: {
          decisions: names
            .slice(index * SLICE, (index + 1) * SLICE)
            .map(clusterName => ({ clusterName, reason: '' })),
        },
      }),
    );
  const all = Array.from({ length: 10 }, (_, index) => `c${index}`);
  const namesOf = (decisions: Iterable<PlacementDecision>) =>
    [...decisions].flatMap(({ status }) =>
      (status?.decisions ?? []).map(({ clusterName }) => clusterName),
    );

  it.each([
    ['are added at the end', all.slice(0, 3), all],
    ['are added in front', all.slice(2), all],
    ['are removed in front', all, all.slice(3)],
    [
      'are removed in the middle',
      all,
      all.filter((_, index) => index % 3 !== 0),
    ],
  ])(
    'never drops a cluster that stays while clusters %s',
    (_, before, after) => {
      const held = new Map(
        decisionsOf(before).map(decision => [decision.metadata.name, decision]),
      );
      const staying = before.filter(name => after.includes(name));
      for (const next of writeOrder([...held.values()], decisionsOf(after))) {
        held.set(next.metadata.name, next);
        expect(namesOf(held.values())).toEqual(expect.arrayContaining(staying));
      }
    },
  );

  it('contains each decision once for any change', () => {
    fc.assert(
      fc.property(fc.subarray(all), fc.subarray(all), (before, after) => {
        const desired = decisionsOf(after);
        const order = writeOrder(decisionsOf(before), desired);
        expect(new Set(order)).toEqual(new Set(desired));
        expect(order).toHaveLength(desired.length);
      }),
    );
  });
});
