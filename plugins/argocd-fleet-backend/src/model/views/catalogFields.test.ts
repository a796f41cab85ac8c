import type {
  KubernetesObject,
  ManagedCluster,
} from 'backstage-plugin-argocd-fleet-common';
import {
  clusterFields,
  mappedFields,
  parseFieldSource,
  type FieldMapping,
} from './catalogFields';

const label = (key: string) => ({ from: 'labels', key }) as const;
const annotation = (key: string) => ({ from: 'annotations', key }) as const;

const MAPPING: FieldMapping = {
  owner: label('team'),
  lifecycle: annotation('example.com/stage'),
  system: label('part-of'),
  tags: [label('region'), label('none'), annotation('tier')],
};

const CLUSTER: ManagedCluster = {
  apiVersion: 'cluster.open-cluster-management.io/v1',
  kind: 'ManagedCluster',
  metadata: {
    name: 'edge-1',
    labels: { team: 'edge', region: 'EU', clusterID: '0af1' },
    annotations: { 'example.com/stage': 'production' },
  },
  spec: {
    managedClusterClientConfigs: [
      { url: 'https://api.edge-1.example:6443', caBundle: 'Q0E=' },
      { url: 'https://other.example', caBundle: 'WA==' },
    ],
  },
  status: {
    clusterClaims: [
      {
        name: 'consoleurl.cluster.open-cluster-management.io',
        value: 'https://console.edge-1.example',
      },
    ],
  },
};

it.each<[string, ReturnType<typeof parseFieldSource>]>([
  ['label:example.com/team', label('example.com/team')],
  ['annotation:a:b', annotation('a:b')],
  ['label:', undefined],
  ['labels:x', undefined],
  ['team', undefined],
  ['label:a b', undefined],
])('a field comes from %j', (text, expected) => {
  expect(parseFieldSource(text)).toEqual(expected);
});

describe('the fields of an entity', () => {
  it('are what labels and annotations have, without those that are not there', () => {
    const object: KubernetesObject = {
      apiVersion: 'v1',
      kind: 'Any',
      metadata: {
        name: 'x',
        labels: { team: 'edge', region: 'eu', 'part-of': '' },
        annotations: {
          'example.com/stage': 'x'.repeat(201),
          tier: 'front\u0000\u202eend',
        },
      },
    };
    expect(mappedFields(object, MAPPING)).toEqual({
      owner: 'edge',
      tags: ['eu', expect.not.stringMatching(/[\p{Cc}\u202e]/u)],
    });
    expect(mappedFields(object, { tags: [] })).toEqual({});
  });

  it('of a cluster have what other plugins read', () => {
    expect(
      clusterFields(CLUSTER, { ...MAPPING, kubernetesAuthProvider: 'oidc' }),
    ).toEqual({
      owner: 'edge',
      lifecycle: 'production',
      tags: ['EU'],
      links: [{ url: 'https://console.edge-1.example', title: 'Console' }],
      annotations: {
        'janus-idp.io/ocm-cluster-id': '0af1',
        'kubernetes.io/api-server': 'https://api.edge-1.example:6443',
        'kubernetes.io/api-server-certificate-authority': 'Q0E=',
        'kubernetes.io/auth-provider': 'oidc',
      },
    });
  });

  it('give no address of a cluster unless that is configured', () => {
    expect(clusterFields(CLUSTER, { tags: [] }).annotations).toEqual({
      'janus-idp.io/ocm-cluster-id': '0af1',
    });
  });

  it.each<[string, { url?: string; caBundle?: string }[]]>([
    ['no TLS', [{ url: 'http://api.example', caBundle: 'Q0E=' }]],
    ['no CA', [{ url: 'https://api.example' }]],
    ['no URL', [{ url: 'api.example:6443', caBundle: 'Q0E=' }]],
    ['nothing', []],
  ])('cluster → kubernetes plugin: not with %s', (_, configs) => {
    const cluster = {
      ...CLUSTER,
      spec: { managedClusterClientConfigs: configs },
    };
    const { annotations = {} } = clusterFields(cluster, {
      tags: [],
      kubernetesAuthProvider: 'oidc',
    });
    expect(Object.keys(annotations)).toEqual(['janus-idp.io/ocm-cluster-id']);
  });

  // eslint-disable-next-line no-script-url -- what must not become a link
  it.each(['javascript:alert(1)', 'data:text/html,x', 'console', ''])(
    'cluster → link that runs a script: %j is none',
    value => {
      const name = 'consoleurl.cluster.open-cluster-management.io';
      const cluster = {
        ...CLUSTER,
        status: { clusterClaims: [{ name, value }] },
      };
      expect(clusterFields(cluster, { tags: [] }).links).toBeUndefined();
    },
  );
});
