/* eslint-disable jest/no-standalone-expect -- hostile.test.ts runs each case in a test of its own */
import {
  HUB_APPLICATION_NAMESPACE_ANNOTATION,
  HUB_APPLICATION_NAME_ANNOTATION,
  LOCAL_CLUSTER_LABEL,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { waitFor } from '../../../__testUtils__/waitFor';
import { reportedWork } from '../../../model/__testUtils__/works';
import { expectAccepted } from './accounts';
import type { HostileCase } from './hostileCase';
import { hubPath, pathOf } from './paths';
import { ARGO_CD, BREACHED, TENANT, VICTIM, VICTIMS_CLUSTER } from './places';
import { BASE, userHeader } from './api';
import type { Stage } from './stage';

const FUTURE = '9999-12-31T23:59:59Z';
const CLUSTER = hubPath('clusters', { name: BREACHED });
const ACCOUNT = hubPath('managedServiceAccounts', {
  namespace: BREACHED,
  name: 'argocd',
});
const TOKEN = { namespace: BREACHED, name: 'argocd' };

/** The agent changes a work; the spec comes back from the hub, which delivers it anew. */
async function patchWork(stage: Stage, patch: object) {
  const work = await stage.workOfAgent();
  const { status } = await stage.accounts.agent.send(
    'PATCH',
    pathOf('works', work),
    patch,
  );
  expect(status).toBe(200);
}

/** The agent reports a status, and later that the Application is healthy. */
async function report(stage: Stage, status: (work: ManifestWork) => unknown) {
  const work = await stage.workOfAgent();
  const path = `${pathOf('works', work)}/status`;
  const { agent } = stage.accounts;
  const answer = await agent.send('PATCH', path, { status: status(work) });
  expectAccepted(answer);
  stage.afterwards(() =>
    agent.send('PATCH', path, {
      status: reportedWork({ work, feedback: { healthStatus: 'Healthy' } })
        .status,
    }),
  );
}

/** The agent changes its ManagedCluster, and afterwards everything is as before. */
async function changeCluster(stage: Stage, change: (cluster: any) => object) {
  const { agent } = stage.accounts;
  const before = (await agent.send('GET', CLUSTER)).body;
  const { status } = await agent.send('PUT', CLUSTER, change(before));
  expect(status).toBe(200);
  stage.afterwards(async () => {
    const { body } = await agent.send('GET', CLUSTER);
    return agent.send('PUT', CLUSTER, {
      ...body,
      spec: before.spec,
      metadata: { ...body.metadata, labels: before.metadata.labels },
    });
  });
}

/** What a user of the portal reads of the Application of the tenant on the hostile cluster. */
async function shownApplication({ api }: Stage): Promise<any> {
  const { status, body } = await api
    .get(`${BASE}/applications/hub/${TENANT}/stall`)
    .set('authorization', userHeader('tina'));
  expect(status).toBe(200);
  return body;
}

function reporting(
  title: string,
  status: (work: ManifestWork) => unknown,
  check?: (shown: any) => void,
): HostileCase {
  return {
    attacker: 'agent',
    kind: 'forged status',
    title,
    attack: stage => report(stage, status),
    async afterwards(stage) {
      check?.(await shownApplication(stage));
    },
  };
}

/** Bytes of JSON of an answer about one Application that page and network take without harm. */
const MAX_ANSWER = 200_000;

const bounded = (shown: any) =>
  expect(JSON.stringify(shown).length).toBeLessThan(MAX_ANSWER);

/** Lines of a digest about so many resources. */
function manyResources(count: number, kind = 'Deployment') {
  return Array.from({ length: count }, (_, index) => [
    ...['r', 'apps', 'v1', kind, 'guestbook', `name-${index}`],
    ...['OutOfSync', 'Degraded', 'message'],
  ]);
}

/** What no command may contain: each would do something when it is pasted into a shell, or read as something else. */
const COMMAND = /[$`;|&<>\p{Bidi_Control}]|(^|\s)--?evil/u;

function commandsOf(value: any): string[] {
  return JSON.stringify(value ?? '') === '""' || typeof value !== 'object'
    ? []
    : Object.entries(value ?? {}).flatMap(([key, inner]) =>
        key === 'command' && typeof inner === 'string'
          ? [inner]
          : commandsOf(inner),
      );
}

function withFeedback(
  work: ManifestWork,
  values: readonly object[],
): ManifestWork['status'] {
  const { status } = reportedWork({ work, feedback: {} });
  const manifests = status!.resourceStatus!.manifests!.map(it => ({
    ...it,
    statusFeedback: { values },
  }));
  return { ...status, resourceStatus: { manifests } } as ManifestWork['status'];
}

const STATUSES: readonly HostileCase[] = [
  reporting(
    'times in the year 9999',
    work => {
      const { status } = reportedWork({
        work,
        feedback: { healthStatus: 'Degraded', operationStateStartedAt: FUTURE },
        digest: [],
        ready: { lastTransitionTime: FUTURE },
        applied: { lastTransitionTime: FUTURE },
      });
      return status;
    },
    shown => expect(JSON.stringify(shown)).not.toContain('9999-'),
  ),
  reporting('an observed generation that does not exist', work => {
    const { status } = reportedWork({
      work,
      feedback: { healthStatus: 'Healthy' },
      applied: { observedGeneration: 2 ** 40 },
      available: { observedGeneration: 2 ** 40 },
    });
    return status;
  }),
  reporting(
    'a digest of as many resources as fit into a message',
    work => reportedWork({ work, digest: manyResources(450) }).status,
    bounded,
  ),
  reporting(
    'the longest messages, on which no pattern should be slow',
    work =>
      reportedWork({
        work,
        feedback: { healthStatus: 'Degraded', syncStatus: 'OutOfSync' },
        digest: [
          ['c', 'SyncError', `cannot ${'create resource "'.repeat(900)}`],
          ['o', 'Failed', '', `is forbidden: User "${'a:'.repeat(7_000)}`],
        ],
        applied: {
          status: 'False',
          message: `forbidden: ${'User "system:serviceaccount:'.repeat(1_100)}`,
        },
      }).status,
    bounded,
  ),
  reporting(
    'names of resources that are commands',
    work =>
      reportedWork({
        work,
        feedback: { healthStatus: 'Degraded', syncStatus: 'OutOfSync' },
        digest: [
          [
            'r',
            'apps',
            'v1',
            'Deployment',
            '$(evil)',
            '`evil`',
            '',
            'Degraded',
          ],
          [
            'r',
            'apps',
            'v1',
            '--evil',
            '-evil',
            ';evil',
            '',
            'Degraded',
            'ImagePullBackOff',
          ],
          [
            'r',
            '',
            'v1',
            'Pod',
            'x\u202e',
            '--evil=yes',
            '',
            'Degraded',
            'CrashLoopBackOff',
          ],
        ],
      }).status,
    shown =>
      commandsOf(shown).forEach(command =>
        expect(command).not.toMatch(COMMAND),
      ),
  ),
  reporting(
    'a missing right of an account that it names itself',
    work =>
      reportedWork({
        work,
        feedback: { healthStatus: 'Missing', syncStatus: 'OutOfSync' },
        digest: [
          [
            'c',
            'SyncError',
            `deployments.apps is forbidden: User "system:serviceaccount:${TENANT}:evil" cannot create resource "deployments" in API group "apps" in the namespace "kube-system"`,
          ],
        ],
      }).status,
    shown => expect(commandsOf(shown).join()).not.toContain('evil'),
  ),
  reporting(
    'five thousand feedback values with names of properties of every object',
    work =>
      withFeedback(
        work,
        Array.from({ length: 5_000 }, (_, index) => ({
          name:
            ['__proto__', 'constructor', 'toString', 'healthStatus'][index] ??
            `value-${index}`,
          fieldValue: { type: 'String', string: `${index}` },
        })),
      ),
    shown => {
      bounded(shown);
      expect(['Healthy', 'Unknown']).toContain(shown.health);
    },
  ),
  reporting('a feedback value of JSON with five hundred levels', work =>
    withFeedback(work, [
      {
        name: 'rollouts',
        fieldValue: {
          type: 'JsonRaw',
          jsonRaw: `${'['.repeat(500)}${']'.repeat(500)}`,
        },
      },
    ]),
  ),
  reporting('two thousand manifests', work => {
    const { status } = reportedWork({ work, feedback: {} });
    const [, manifest] = status!.resourceStatus!.manifests!;
    return {
      ...status,
      resourceStatus: {
        manifests: Array.from({ length: 2_000 }, (_, ordinal) => ({
          ...manifest,
          resourceMeta: { ...manifest.resourceMeta, ordinal },
        })),
      },
    };
  }),
  {
    attacker: 'agent',
    kind: 'forged status',
    title: 'a storm of statuses',
    async attack(stage) {
      let storm = true;
      const raging = (async () => {
        for (let count = 0; storm; count += 1) {
          const healthStatus = count % 2 ? 'Healthy' : 'Degraded';
          const work = await stage.workOfAgent();
          await stage.accounts.agent.send(
            'PATCH',
            `${pathOf('works', work)}/status`,
            {
              status: reportedWork({ work, feedback: { healthStatus } }).status,
            },
          );
        }
      })();
      try {
        await stage.settle();
      } finally {
        storm = false;
        await raging;
      }
    },
  },
];

const CLAIMS: readonly HostileCase[] = [
  ...(
    [
      ['the victim’s Application', VICTIM, `shop-${VICTIMS_CLUSTER}`],
      ['an Application that does not exist', VICTIM, 'missing'],
      ['a path', '..', '../../../../api/v1/namespaces/one', true],
      ['control characters', VICTIM, 'shop\u0000\r\nHost: x', true],
    ] as const
  ).map(([title, namespace, name, decidedByHub]): HostileCase => ({
    attacker: 'agent',
    kind: 'forged claim',
    title: `says that a work belongs to ${title}`,
    decidedByHub,
    async attack(stage) {
      const { metadata } = await stage.workOfAgent();
      await patchWork(stage, {
        metadata: {
          annotations: {
            [HUB_APPLICATION_NAMESPACE_ANNOTATION]: namespace,
            [HUB_APPLICATION_NAME_ANNOTATION]: name,
          },
        },
      });
      stage.afterwards(async () => {
        // Where the claim is not one, the backend takes the work for one of others, and leaves it.
        await stage.accounts.agent.send(
          'PATCH',
          pathOf('works', { metadata }),
          {
            metadata: { annotations: metadata.annotations },
          },
        );
        await waitFor(() => stage.workOf('stall'));
      });
    },
  })),
  {
    attacker: 'agent',
    kind: 'forged claim',
    title: 'says that a work has the victim’s Application in it',
    decidedByHub: true,
    async attack(stage) {
      const { spec } = await stage.workOfAgent();
      await patchWork(stage, {
        spec: {
          workload: {
            manifests: spec.workload!.manifests!.map(manifest => ({
              ...manifest,
              metadata: {
                ...manifest.metadata,
                namespace: VICTIM,
                name: `shop-${VICTIMS_CLUSTER}`,
              },
            })),
          },
        },
      });
    },
  },
  {
    attacker: 'agent',
    kind: 'forged claim',
    title: 'keeps a work with a finalizer',
    decidedByHub: true,
    async attack(stage) {
      const { accounts, testHub } = stage;
      const application = { namespace: TENANT, name: 'stall' };
      const work = await stage.workOfAgent();
      await patchWork(stage, {
        metadata: { finalizers: ['evil.example.com/never'] },
      });
      const before = await testHub.admin.get('applications', application);
      await accounts.tenant.send(
        'DELETE',
        hubPath('applications', application),
      );
      await waitFor(async () => {
        const now = await testHub.admin.get('works', work.metadata);
        return now?.metadata.deletionTimestamp;
      });
      stage.afterwards(async () => {
        await testHub.admin.patch('works', work.metadata, {
          metadata: { finalizers: null },
        });
        const { uid: _, resourceVersion: __, ...metadata } = before!.metadata;
        await accounts.tenant.send(
          'POST',
          hubPath('applications', { namespace: TENANT }),
          { ...before, metadata },
        );
        await waitFor(async () => {
          const found = await stage.workOf('stall');
          return found && found.metadata.uid !== work.metadata.uid;
        });
      });
    },
  },
];

const STAND_BACK: readonly HostileCase[] = [
  {
    attacker: 'agent',
    kind: 'stand-back',
    title: 'rewrites a work of its cluster again and again',
    decidedByHub: true,
    async attack(stage) {
      // After three, the backend stands back, and the work stays as the fourth leaves it.
      for (let round = 0; round < 4; round += 1) {
        await patchWork(stage, {
          spec: {
            workload: {
              manifests: [
                {
                  apiVersion: 'v1',
                  kind: 'ConfigMap',
                  metadata: { name: `evil-${round}`, namespace: 'evil' },
                },
              ],
            },
          },
        });
        await stage.settle();
      }
    },
    async afterwards(stage) {
      const found = (await stage.findings()).filter(
        ({ code }) => code === 'AFC-406',
      );
      expect(found).toHaveLength(1);
      expect(JSON.stringify(found)).toContain(BREACHED);
    },
  },
  {
    attacker: 'agent',
    kind: 'stand-back',
    title: 'forges field managers with times in the year 9999',
    decidedByHub: true,
    async attack(stage) {
      await patchWork(stage, {
        metadata: {
          managedFields: [
            {
              manager: 'multicluster-integrations',
              operation: 'Update',
              apiVersion: 'work.open-cluster-management.io/v1',
              time: FUTURE,
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:spec': { 'f:workload': {} } },
            },
          ],
        },
      });
    },
  },
];

/** Addresses that the hub's Argo CD must not get as that of the hostile cluster. */
const ADDRESSES: readonly [string, (stage: Stage) => string][] = [
  [
    'the address of the victim’s cluster',
    () => `https://${VICTIMS_CLUSTER}.example.com`,
  ],
  [
    'that address in capital letters and with a port',
    () => `https://${VICTIMS_CLUSTER.toUpperCase()}.example.com:443/`,
  ],
  ['an address without encryption', () => 'http://evil.example.com'],
  ['the service of the hub', () => 'https://kubernetes.default.svc'],
  [
    'the address of the hub',
    ({ testHub }) => testHub.hub.url.replace('http:', 'https:'),
  ],
  ['an address with user info', () => 'https://a:b@evil.example.com'],
  ['no address', () => ['javascript', 'alert(1)'].join(':')],
];

/** Only for a cluster that is imported: each Secret that is deleted is created again twice as late as the one before. */
const FURTHER_ADDRESSES: typeof ADDRESSES = [
  ['another service of the hub', () => 'https://vault.secrets.svc:8200'],
  ['the metadata of the hub’s machine', () => 'https://169.254.169.254'],
];

/** The Secret by which the hub's Argo CD knows the hostile cluster. */
const IMPORTED = { namespace: ARGO_CD, name: `${BREACHED}-cluster-secret` };

/** The address in that Secret; undefined while there is none. */
async function importedServer({ testHub }: Stage) {
  const secret = await testHub.admin.get('clusterSecrets', IMPORTED);
  const server = secret?.data?.server;
  return server && Buffer.from(server, 'base64').toString();
}

function registerAddress(stage: Stage, url: string) {
  return changeCluster(stage, cluster => ({
    ...cluster,
    spec: { ...cluster.spec, managedClusterClientConfigs: [{ url }] },
  }));
}

/** Whether a finding says that the address of the hostile cluster is refused. */
async function isRefused({ findings }: Stage): Promise<boolean> {
  return (await findings()).some(
    ({ code, object }) => code === 'AFC-514' && object?.name === BREACHED,
  );
}

const OWN_CLUSTER: readonly HostileCase[] = [
  {
    attacker: 'agent',
    kind: 'forged cluster',
    title: 'labels its cluster as the hub, and as one of the victim’s',
    attack: stage =>
      changeCluster(stage, cluster => ({
        ...cluster,
        metadata: {
          ...cluster.metadata,
          labels: {
            ...cluster.metadata.labels,
            [LOCAL_CLUSTER_LABEL]: 'true',
            constructor: 'x',
            'apps.open-cluster-management.io/cluster-name': VICTIMS_CLUSTER,
            'argocd.argoproj.io/secret-type': 'repository',
          },
        },
      })),
  },
  {
    attacker: 'agent',
    kind: 'forged cluster',
    title: 'reports conditions with texts of 200 KB in the year 9999',
    async attack(stage) {
      const { agent } = stage.accounts;
      const { status } = await agent.send('PATCH', `${CLUSTER}/status`, {
        status: {
          version: { kubernetes: `v1.\u202e${'9'.repeat(1000)}` },
          conditions: [
            {
              type: 'ManagedClusterConditionAvailable',
              status: 'Unknown',
              reason: 'Evil',
              message: 'x'.repeat(30_000),
              lastTransitionTime: FUTURE,
            },
          ],
        },
      });
      expect(status).toBe(200);
      stage.afterwards(() =>
        agent.send('PATCH', `${CLUSTER}/status`, {
          status: { version: null, conditions: [] },
        }),
      );
    },
    async afterwards({ api }) {
      const { body } = await api
        .get(`${BASE}/clusters`)
        .set('authorization', userHeader('victor'));
      const text = JSON.stringify(body.items);
      expect(text).not.toContain('9999-');
      expect(text).not.toContain('\u202e');
    },
  },
  ...[...ADDRESSES, ...FURTHER_ADDRESSES].map(
    ([title, addressOn]): HostileCase => ({
      attacker: 'agent',
      kind: 'push address',
      title: `registers ${title}`,
      writesVictims: true,
      attack: stage => registerAddress(stage, addressOn(stage)),
      async afterwards(stage) {
        expect(await importedServer(stage)).toBe(
          `https://${BREACHED}.example.com`,
        );
        await expectTokenOfVictimRenewed(stage);
      },
    }),
  ),
  ...ADDRESSES.map(([title, addressOn]): HostileCase => ({
    attacker: 'agent',
    kind: 'push address',
    title: `registers ${title} before its cluster is imported`,
    async attack(stage) {
      // Runs last, when the address is as before.
      stage.afterwards(() => waitFor(() => importedServer(stage)));
      // That of an earlier case.
      await waitFor(async () => !(await isRefused(stage)));
      await registerAddress(stage, addressOn(stage));
      await waitFor(() => isRefused(stage));
      await stage.testHub.admin.delete('clusterSecrets', IMPORTED);
    },
    async afterwards(stage) {
      expect(await importedServer(stage)).toBeUndefined();
      expect(await isRefused(stage)).toBe(true);
    },
  })),
];

/** A new token of the victim's cluster still reaches the hub's Argo CD. */
async function expectTokenOfVictimRenewed({ testHub }: Stage) {
  const { admin } = testHub;
  const place = { namespace: VICTIMS_CLUSTER, name: 'argocd' };
  for (const [token, lastRefreshTimestamp] of [
    ['renewed', '2026-11-21T11:00:00Z'],
    [`token-of-${VICTIMS_CLUSTER}`, '2026-11-21T10:00:00Z'],
  ]) {
    await admin.patch('clusterSecrets', place, {
      data: { token: Buffer.from(token).toString('base64') },
    });
    await testHub.patchStatus('managedServiceAccounts', place, {
      tokenSecretRef: { name: 'argocd', lastRefreshTimestamp },
    });
    await waitFor(async () => {
      const secret = await admin.get('clusterSecrets', {
        namespace: ARGO_CD,
        name: `${VICTIMS_CLUSTER}-cluster-secret`,
      });
      const config = Buffer.from(secret?.data?.config ?? '', 'base64');
      return config.toString().includes(`"${token}"`);
    });
  }
}

const TOKENS: readonly HostileCase[] = [
  ...[
    [
      'the Secret of the victim’s cluster',
      `../../${ARGO_CD}/secrets/${VICTIMS_CLUSTER}-cluster-secret`,
    ],
    [
      'it in an encoded path',
      `..%2f..%2f${VICTIMS_CLUSTER}%2fsecrets%2fargocd`,
    ],
    ['a query', 'argocd?x=y'],
    ['a name of another shape', 'ARGOCD '],
  ].map(([title, name]): HostileCase => ({
    attacker: 'agent',
    kind: 'forged token',
    title: `names ${title} as its token`,
    decidedByHub: true,
    async attack({ accounts: { agent }, afterwards }) {
      const refer = (secret: string, lastRefreshTimestamp: string) =>
        agent.send('PATCH', `${ACCOUNT}/status`, {
          status: { tokenSecretRef: { name: secret, lastRefreshTimestamp } },
        });
      const { status } = await refer(name, '2026-11-22T10:00:00Z');
      expect(status).toBe(200);
      afterwards(() => refer('argocd', '2026-11-21T10:00:00Z'));
    },
    async afterwards({ testHub }) {
      const secret = await testHub.admin.get('clusterSecrets', {
        namespace: ARGO_CD,
        name: `${BREACHED}-cluster-secret`,
      });
      const config = Buffer.from(secret?.data?.config ?? '', 'base64');
      expect(config.toString()).toContain(`token-of-${BREACHED}`);
    },
  })),
  {
    attacker: 'agent',
    kind: 'forged token',
    title: 'offers a token of half a megabyte',
    async attack({ accounts: { agent }, afterwards }) {
      const path = hubPath('clusterSecrets', TOKEN);
      const offer = async (token: string, lastRefreshTimestamp: string) => {
        const { status } = await agent.send('PATCH', path, {
          data: { token: Buffer.from(token).toString('base64') },
        });
        expect(status).toBe(200);
        await agent.send('PATCH', `${ACCOUNT}/status`, {
          status: { tokenSecretRef: { name: 'argocd', lastRefreshTimestamp } },
        });
      };
      await offer('x'.repeat(500_000), '2026-11-22T10:00:00Z');
      afterwards(() => offer(`token-of-${BREACHED}`, '2026-11-21T10:00:00Z'));
    },
  },
];

/** Attacks by the agent of a cluster, which may write the works of its namespace and its own ManagedCluster. */
export const AGENT_CASES: readonly HostileCase[] = [
  ...STATUSES,
  ...OWN_CLUSTER,
  ...TOKENS,
  ...CLAIMS,
  // At the end: the backend stands back from the cluster for some minutes.
  ...STAND_BACK,
];
