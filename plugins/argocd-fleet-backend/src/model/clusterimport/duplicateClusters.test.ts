import type { Secret } from 'backstage-plugin-argocd-fleet-common';
import { clusterSecret, type StoredSecret } from './clusterSecret';
import {
  duplicateClusterFinding,
  duplicateClusters,
  supersededSecret,
} from './duplicateClusters';

const base64 = (text: string) => Buffer.from(text).toString('base64');

const ours: Secret = clusterSecret(
  {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name: 'one' },
  },
  'argocd',
);

const agents: StoredSecret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'cluster-one',
    namespace: 'argocd',
    labels: {
      ...ours.metadata.labels,
      'app.kubernetes.io/managed-by': 'argocd-agent',
      'argocd-agent.argoproj-labs.io/agent-name': 'one',
    },
  },
  data: { name: base64('one'), server: base64('https://proxy?agentName=one') },
};

/** By some of our labels, an ApplicationSet may select the cluster. */
const agentsWithoutLabels: StoredSecret = {
  ...agents,
  metadata: {
    ...agents.metadata,
    labels: { 'argocd-agent.argoproj-labs.io/agent-name': 'one' },
  },
};

const byHand: StoredSecret = {
  ...agents,
  metadata: { name: 'by-hand', namespace: 'argocd' },
};

const namesIn = (secrets: readonly StoredSecret[]) =>
  Array.from(duplicateClusters(secrets), ([cluster, same]) => [
    cluster,
    same.map(({ metadata }) => metadata.name),
  ]);

it('finds the Secrets with one name, without those that are being deleted or have none', () => {
  const deleted = {
    ...byHand,
    metadata: { ...byHand.metadata, deletionTimestamp: 'now' },
  };
  const other = { ...byHand, data: { name: base64('two') } };
  const nameless = { ...byHand, data: {} };
  expect(namesIn([ours, deleted, other, nameless, nameless])).toEqual([]);
  expect(namesIn([ours, other, agents])).toEqual([
    ['one', ['one-cluster-secret', 'cluster-one']],
  ]);
});

describe('a superseded Secret', () => {
  const changed = (metadata: Partial<Secret['metadata']>): StoredSecret => ({
    ...ours,
    metadata: { ...ours.metadata, ...metadata },
  });

  it.each<[string, StoredSecret, StoredSecret, boolean]>([
    ['ours, beside an agent’s', ours, agents, true],
    [
      'ours, beside an agent’s without its labels',
      ours,
      agentsWithoutLabels,
      false,
    ],
    ['ours, beside one made by hand', ours, byHand, false],
    [
      'ours with credentials',
      { ...ours, configFingerprint: 'x' },
      agents,
      false,
    ],
    [
      'ours with an address',
      { ...ours, data: { ...ours.data, server: base64('https://api') } },
      agents,
      false,
    ],
    [
      'one that RHACM made',
      changed({
        labels: {
          ...ours.metadata.labels,
          'app.kubernetes.io/managed-by': 'RHACM',
        },
      }),
      agents,
      false,
    ],
    [
      'one with a name that we never give',
      changed({ name: 'x' }),
      agents,
      false,
    ],
    ['one made by hand', byHand, agents, false],
  ])('is %s', (_, secret, other, expected) => {
    const found = supersededSecret([other, secret]);
    expect(found?.secret === secret).toBe(expected);
    expect(found === undefined).toBe(!expected);
  });

  it('is what the finding offers to remove, and names who needs it', () => {
    expect(
      duplicateClusterFinding('one', [ours, agents], ['apps/guestbook']),
    ).toMatchObject({
      evidence: [
        'Secret cluster-one, of the agent one',
        'Secret one-cluster-secret, of the cluster import',
        'Application apps/guestbook',
      ].join('\n'),
      fix: { command: 'kubectl delete secret one-cluster-secret -n argocd' },
    });
  });

  it('is the only one that the finding offers to remove', () => {
    const { fix, evidence } = duplicateClusterFinding(
      'one',
      [ours, byHand],
      [],
    );
    expect(evidence).toContain('Secret by-hand, of another owner');
    expect(fix?.command).toBe(
      'kubectl get secret by-hand one-cluster-secret -n argocd --show-labels',
    );
  });
});
