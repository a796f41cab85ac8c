import type {
  GitOpsCluster,
  Placement,
  PlacementDecision,
  Secret,
} from 'backstage-plugin-argocd-fleet-common';
import { clusterConfig } from './clusterAccess';
import {
  clusterReferences,
  decidingGitOpsCluster,
  importStatus,
  importTarget,
  namesOfCluster,
  planClusterSecret,
  unwantedSecrets,
  wantedClusters,
} from './clusterImport';
import { clusterSecret } from './clusterSecret';
import {
  generatorConfig,
  placementRole,
  placementRoleBinding,
  planGeneratorConfig,
  planRole,
  planRoleBinding,
} from './placementGenerator';

const NAMESPACE = 'fleet';
const AGENT_SERVER = Buffer.from('https://proxy:9090?agentName=one').toString(
  'base64',
);

function gitOpsCluster(
  spec: GitOpsCluster['spec'] = {},
  metadata: Partial<GitOpsCluster['metadata']> = {},
): GitOpsCluster {
  return {
    apiVersion: 'apps.open-cluster-management.io/v1beta1',
    kind: 'GitOpsCluster',
    metadata: { name: 'importer', namespace: NAMESPACE, ...metadata },
    spec: {
      argoServer: { argoNamespace: 'argocd' },
      placementRef: { kind: 'Placement', name: 'all' },
      ...spec,
    },
  };
}

function placement(selected?: number): Placement {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'Placement',
    metadata: { name: 'all', namespace: NAMESPACE },
    ...(selected !== undefined && {
      status: { numberOfSelectedClusters: selected },
    }),
  };
}

function decision(...clusters: string[]): PlacementDecision {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'PlacementDecision',
    metadata: { name: 'all-decision', namespace: NAMESPACE },
    status: { decisions: clusters.map(clusterName => ({ clusterName })) },
  };
}

function managedCluster(name: string) {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name },
  };
}

function secretOf(name: string, labels: Record<string, string> = {}): Secret {
  const secret = clusterSecret(managedCluster(name), 'argocd');
  const { metadata } = secret;
  return {
    ...secret,
    metadata: { ...metadata, labels: { ...metadata.labels, ...labels } },
  };
}

describe('the target of a GitOpsCluster', () => {
  it('is a Placement of its own namespace and a namespace of Argo CD', () => {
    const spec = { managedServiceAccountRef: 'argocd' };
    expect(importTarget(gitOpsCluster(spec))).toEqual({
      kind: 'target',
      placement: { namespace: NAMESPACE, name: 'all' },
      argoNamespace: 'argocd',
      serviceAccount: 'argocd',
      isAgents: false,
    });
  });

  it.each([
    [{ argoCDAgent: { enabled: true } }, true],
    [{ argoCDAgent: { enabled: false } }, false],
    [{ argoCDAgent: {} }, false],
    [{}, false],
  ])('is argocd-agent’s with the add-on %j: %s', (gitopsAddon, expected) => {
    expect(importTarget(gitOpsCluster({ gitopsAddon }))).toMatchObject({
      isAgents: expected,
    });
  });

  it.each<[string, GitOpsCluster['spec']]>([
    ['no namespace of Argo CD', { argoServer: {} }],
    ['an illegal one', { argoServer: { argoNamespace: '../secrets' } }],
    ['no Placement', { placementRef: undefined }],
    ['a PlacementRule', { placementRef: { kind: 'PlacementRule', name: 'x' } }],
    [
      'the Placement of another namespace',
      { placementRef: { kind: 'Placement', name: 'all', namespace: 'theirs' } },
    ],
    ['an illegal service account', { managedServiceAccountRef: 'a/b' }],
  ])('is invalid where the spec names %s', (_, spec) => {
    expect(importTarget(gitOpsCluster(spec))).toMatchObject({
      kind: 'invalid',
      finding: { code: 'AFC-501', evidence: expect.stringContaining('spec.') },
    });
  });
});

describe('the clusters to import', () => {
  it('are those of all decisions', () => {
    const decisions = [decision('one', 'two'), decision('two', 'three')];
    expect(wantedClusters(gitOpsCluster(), placement(3), decisions)).toEqual(
      new Set(['one', 'two', 'three']),
    );
  });

  it('are none for a GitOpsCluster that is being deleted', () => {
    const metadata = { deletionTimestamp: '2026-01-01T00:00:00Z' };
    const deleted = gitOpsCluster({}, metadata);
    expect(wantedClusters(deleted, undefined, [])).toEqual(new Set());
  });

  it.each([
    ['without the Placement', undefined],
    ['while more are selected than decided', placement(2)],
  ])('are not known %s', (_, known) => {
    expect(
      wantedClusters(gitOpsCluster(), known, [decision('one')]),
    ).toBeUndefined();
  });
});

it('lets one GitOpsCluster decide: one of Argo CD’s own namespace, of these one with a service account, else one with argocd-agent, else the first by name', () => {
  const plain = ['b', 'a'].map(name => gitOpsCluster({}, { name }));
  const push = gitOpsCluster({ managedServiceAccountRef: 'x' }, { name: 'z' });
  expect(decidingGitOpsCluster(plain)?.metadata.name).toBe('a');
  expect(decidingGitOpsCluster([...plain, push])).toBe(push);
  const agents = gitOpsCluster(
    { gitopsAddon: { argoCDAgent: { enabled: true } } },
    { name: 'zz' },
  );
  expect(decidingGitOpsCluster([...plain, push, agents])).toBe(push);
  expect(decidingGitOpsCluster([...plain, agents])).toBe(agents);
  const own = gitOpsCluster({}, { namespace: 'argocd' });
  expect(decidingGitOpsCluster([...plain, push, own])).toBe(own);
});

describe('the plan for a cluster’s Secret', () => {
  const desired = secretOf('one');
  const byHand: Secret = {
    ...desired,
    metadata: { name: 'one-cluster-secret', namespace: 'argocd' },
  };
  const agentsOwn: Secret = {
    ...desired,
    metadata: {
      name: 'cluster-one',
      labels: { 'argocd-agent.argoproj-labs.io/agent-name': 'one' },
    },
  };
  const takenOver: Secret = {
    ...desired,
    data: { server: AGENT_SERVER },
    metadata: {
      ...desired.metadata,
      labels: { ...desired.metadata.labels, ...agentsOwn.metadata.labels },
    },
  };

  it.each([
    ['leaves a cluster to its agent', undefined, [agentsOwn], 'agents'],
    [
      'leaves a cluster to its agent beside a Secret made by hand',
      undefined,
      [byHand, agentsOwn],
      'agents',
    ],
    ['leaves a Secret that an agent took over', takenOver, [], 'agents'],
    ['creates what is not there', undefined, [], 'create'],
    ['leaves what is right', desired, [], 'same'],
    ['corrects what is ours', { ...desired, data: {} }, [], 'patch'],
    ['keeps one made by hand', byHand, [], 'kept'],
    ['makes no second one for a cluster', undefined, [byHand], 'kept'],
    [
      'waits for a Secret that is being deleted',
      {
        ...desired,
        metadata: { ...desired.metadata, deletionTimestamp: 'now' },
        data: {},
      },
      [],
      'same',
    ],
  ])('%s', (_, existing, namesakes, kind) => {
    const plan = planClusterSecret('one', desired, existing, namesakes);
    expect(plan.kind).toBe(kind);
  });
});

it('finds the Secrets that no GitOpsCluster needs, and none created by hand or of an agent', () => {
  const byHand = { ...secretOf('three'), metadata: { name: 'three' } };
  const agents = {
    ...secretOf('four', {
      'argocd-agent.argoproj-labs.io/agent-name': 'four',
    }),
    data: {
      server: Buffer.from('https://proxy:9090?agentName=four').toString(
        'base64',
      ),
    },
  };
  const secrets = [secretOf('one'), secretOf('two'), byHand, agents];
  expect(
    unwantedSecrets(secrets, new Set(['one'])).map(it => it.metadata.name),
  ).toEqual(['two-cluster-secret']);
});

it.each([
  ['by the name of its destination', { destination: { name: 'one' } }, {}],
  [
    'by the server of its destination',
    { destination: { server: 'https://one-control-plane/' } },
    {},
  ],
  [
    'by its target annotation',
    { destination: { server: 'https://kubernetes.default.svc' } },
    {
      labels: {
        'apps.open-cluster-management.io/pull-to-ocm-managed-cluster': 'true',
      },
      annotations: {
        'apps.open-cluster-management.io/ocm-managed-cluster': 'one',
      },
    },
  ],
])('recognises the cluster of an Application %s', (_, spec, metadata) => {
  const meant = clusterReferences({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'app', ...metadata },
    spec,
  });
  const among = (secret: Secret) =>
    namesOfCluster(secret).some(name => meant.includes(name));
  expect(among(secretOf('one'))).toBe(true);
  expect(among(secretOf('two'))).toBe(false);
});

describe('the status', () => {
  const base = { imported: 2, argoNamespace: 'argocd', problems: [] };
  const warning = { severity: 'warning', title: 'A' } as const;
  const error = { severity: 'error', title: 'B' } as const;
  const info = { severity: 'info', title: 'C' } as const;

  it.each([
    [[], 'successful', '2 clusters imported into argocd'],
    [[warning, info], 'successful', '2 clusters imported into argocd; A'],
    [[error], 'failed', '2 clusters imported into argocd; B'],
    [
      [error, error, error, error, warning],
      'failed',
      '2 clusters imported into argocd; B; B; B; and 2 more',
    ],
  ])('reports %j: %s', (problems, phase, message) => {
    const status = importStatus(gitOpsCluster(), { ...base, problems }, 'now');
    expect(status).toEqual({ phase, message, lastUpdateTime: 'now' });
    const told = { ...gitOpsCluster(), status: { phase, message } };
    expect(importStatus(told, { ...base, problems }, 'later')).toBeUndefined();
  });
});

it.each([
  [1, '0 clusters imported into argocd; 1 cluster left to argocd-agent'],
  [2, '0 clusters imported into argocd; 2 clusters left to argocd-agent'],
])('reports %i clusters that argocd-agent registers', (agents, message) => {
  const status = importStatus(
    gitOpsCluster(),
    { imported: 0, agents, argoNamespace: 'argocd', problems: [] },
    'now',
  );
  expect(status).toMatchObject({ phase: 'successful', message });
});

describe('the credentials of a cluster', () => {
  const base64 = (value: string) => Buffer.from(value).toString('base64');
  const secret = (data: Record<string, string>): Secret => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'argocd' },
    data,
  });
  const registered = {
    ...managedCluster('one'),
    spec: { managedClusterClientConfigs: [{ url: 'x', caBundle: 'Y2E=' }] },
  };
  const read = (config: string | undefined) =>
    config && JSON.parse(Buffer.from(config, 'base64').toString());

  it.each([
    ['the token’s own authority', { 'ca.crt': 'b3du' }, { caData: 'b3du' }],
    ['else the one that the cluster registered', {}, { caData: 'Y2E=' }],
  ])('verify the server with %s', (_, data, tls) => {
    const config = clusterConfig(
      secret({ token: base64('t'), ...data }),
      registered,
    );
    expect(read(config)).toEqual({
      bearerToken: 't',
      tlsClientConfig: { insecure: false, ...tls },
    });
  });

  it('verify it also where no certificate authority is known', () => {
    const config = clusterConfig(
      secret({ token: base64('t') }),
      managedCluster('one'),
    );
    expect(read(config).tlsClientConfig).toEqual({ insecure: false });
  });

  it.each<Record<string, string>>([{}, { token: '' }])(
    'are none without a token: %j',
    data => {
      expect(clusterConfig(secret(data), registered)).toBeUndefined();
    },
  );
});

describe('the Role and binding of the ApplicationSet controller', () => {
  const config = generatorConfig('argocd');
  const role = placementRole('argocd');
  const bindingTo = (...names: string[]) =>
    placementRoleBinding('argocd', names);

  it.each([
    [[], ['argocd-applicationset-controller']],
    [
      ['default', 'my-applicationset-controller'],
      ['my-applicationset-controller'],
    ],
  ])(
    'bind the service accounts of a namespace that has %j',
    (names, expected) => {
      expect(bindingTo(...names).subjects?.map(({ name }) => name)).toEqual(
        expected,
      );
    },
  );

  it('bind both usual names where no service account is found', () => {
    const { subjects } = placementRoleBinding('openshift-gitops', []);
    expect(subjects?.map(({ name }) => name)).toEqual([
      'argocd-applicationset-controller',
      'openshift-gitops-applicationset-controller',
    ]);
  });

  it('are planned: created, unchanged, corrected where they are ours, else kept', () => {
    const unmarked = { name: 'x', namespace: 'argocd' };
    const other = bindingTo('other-applicationset-controller');
    expect(
      [
        planGeneratorConfig(undefined, config),
        planGeneratorConfig({ ...config, metadata: unmarked }, config),
        planGeneratorConfig({ ...config, data: { kind: 'x' } }, config),
        planRole(undefined, role),
        planRole(role, role),
        planRole({ ...role, rules: [] }, role),
        planRole({ ...role, metadata: unmarked, rules: [] }, role),
        planRoleBinding(bindingTo(), bindingTo()),
        planRoleBinding(other, bindingTo()),
        planRoleBinding({ ...other, roleRef: { name: 'admin' } }, bindingTo()),
      ].map(({ kind }) => kind),
    ).toEqual([
      'create',
      'same',
      'kept',
      'create',
      'same',
      'patch',
      'kept',
      'same',
      'patch',
      'kept',
    ]);
  });
});
