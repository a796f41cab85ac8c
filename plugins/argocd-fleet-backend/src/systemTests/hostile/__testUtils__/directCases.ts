/* eslint-disable jest/no-standalone-expect -- hostile.test.ts runs each case in a test of its own */
import { decisionFor, pullApplication } from '../../../__testUtils__/objects';
import { setOf } from './decide';
import type { HostileCase } from './hostileCase';
import { hubPath } from './paths';
import {
  ARGO_CD,
  BREACHED,
  SHARED_CLUSTER,
  TENANT,
  VICTIM,
  VICTIMS_CLUSTER,
} from './places';

type Request = readonly [
  title: string,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
];

const work = {
  apiVersion: 'work.open-cluster-management.io/v1',
  kind: 'ManifestWork',
  metadata: { name: 'forged' },
  spec: { workload: { manifests: [pullApplication('x', 'x')] } },
};
const shop = { namespace: VICTIM, name: `shop-${VICTIMS_CLUSTER}` };

const BY_TENANTS: readonly Request[] = [
  [
    'creates an Application in the victim’s namespace',
    'POST',
    hubPath('applications', { namespace: VICTIM }),
    pullApplication('x', SHARED_CLUSTER, { namespace: VICTIM }),
  ],
  [
    'changes the victim’s Application',
    'PATCH',
    hubPath('applications', shop),
    { spec: { source: { repoURL: 'https://evil.example.com' } } },
  ],
  [
    'deletes the victim’s ApplicationSet',
    'DELETE',
    hubPath('applicationSets', { namespace: VICTIM, name: 'shop' }),
  ],
  [
    'empties the victim’s Placement',
    'PATCH',
    hubPath('placements', { namespace: VICTIM, name: 'all' }),
    { spec: { numberOfClusters: 0 } },
  ],
  [
    'makes a ManifestWork for the victim’s cluster',
    'POST',
    hubPath('works', { namespace: VICTIMS_CLUSTER }),
    work,
  ],
  [
    'makes a PlacementDecision in its own namespace',
    'POST',
    hubPath('decisions', { namespace: TENANT }),
    {
      ...decisionFor([VICTIMS_CLUSTER]),
      metadata: { name: 'forged', namespace: TENANT },
    },
  ],
  [
    'reports another decision of its own Placement',
    'PATCH',
    `${hubPath('decisions', { namespace: TENANT, name: 'all-decision-1' })}/status`,
    { status: { decisions: [{ clusterName: VICTIMS_CLUSTER, reason: '' }] } },
  ],
  [
    'binds the victim’s cluster set to its own namespace',
    'POST',
    hubPath('clusterSetBindings', { namespace: TENANT }),
    {
      apiVersion: 'cluster.open-cluster-management.io/v1beta2',
      kind: 'ManagedClusterSetBinding',
      metadata: { name: setOf(VICTIM) },
      spec: { clusterSet: setOf(VICTIM) },
    },
  ],
  [
    'reads the credentials of the hub’s Argo CD',
    'GET',
    hubPath('clusterSecrets', { namespace: ARGO_CD }),
  ],
];

const BY_AGENTS: readonly Request[] = [
  [
    'reads the works of another cluster',
    'GET',
    hubPath('works', { namespace: VICTIMS_CLUSTER }),
  ],
  [
    'makes a ManifestWork in its own namespace',
    'POST',
    hubPath('works', { namespace: BREACHED }),
    work,
  ],
  [
    'changes the address of another cluster',
    'PATCH',
    hubPath('clusters', { name: VICTIMS_CLUSTER }),
    {
      spec: {
        managedClusterClientConfigs: [{ url: 'https://evil.example.com' }],
      },
    },
  ],
  [
    'reads another cluster’s token',
    'GET',
    hubPath('clusterSecrets', { namespace: VICTIMS_CLUSTER, name: 'argocd' }),
  ],
  [
    'reads the Applications of the hub',
    'GET',
    hubPath('applications', { namespace: VICTIM }),
  ],
];

/** What the hub itself refuses, so that all other attacks have to go through the backend. */
export const DIRECT_CASES: readonly HostileCase[] = (
  [
    ['tenant', BY_TENANTS],
    ['agent', BY_AGENTS],
  ] as const
).flatMap(([attacker, requests]) =>
  requests.map(([title, method, path, body]): HostileCase => ({
    attacker,
    kind: 'rights on the hub',
    title,
    decidedByHub: true,
    immediate: true,
    async attack({ accounts }) {
      const { status } = await accounts[attacker].send(method, path, body);
      expect(status).toBe(403);
    },
  })),
);
