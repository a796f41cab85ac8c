import { ConfigReader } from '@backstage/config';
import type { JsonObject } from '@backstage/types';
import { readFleetConfig } from './fleetConfig';

function readHubs(hubs: JsonObject[], kubernetes: JsonObject = {}) {
  const data = { argocdFleet: { hubs }, kubernetes };
  return readFleetConfig(new ConfigReader(data)).hubs;
}

const URL = 'https://hub.example.com:6443';
const CA = Buffer.from('-----BEGIN CERTIFICATE-----').toString('base64');
const byFile = { name: 'hub', kubeconfig: { path: '/etc/hub' } };
const byUrl = { name: 'hub', url: URL, token: 'secret' };

describe('a hub', () => {
  it.each<[string, JsonObject, object]>([
    [
      'a kubeconfig',
      { kubeconfig: { path: '/etc/hub', context: 'acm' } },
      { kubeconfig: { path: '/etc/hub', context: 'acm' } },
    ],
    ["its pod's service account", { inCluster: true }, { inCluster: true }],
    [
      'a token and a CA',
      { url: URL, token: 'secret', caData: CA },
      { url: URL, token: 'secret', caData: CA },
    ],
    [
      'a token and a CA in files',
      { url: URL, tokenFile: '/token', caFile: '/ca' },
      { url: URL, tokenFile: '/token', caFile: '/ca' },
    ],
    [
      'a token and a certificate that is not verified',
      { url: URL, token: 'secret', skipTLSVerify: true },
      { url: URL, token: 'secret', skipTLSVerify: true },
    ],
    [
      'a proxy on this machine',
      { url: 'http://127.0.0.1:8001', token: 'any' },
      { url: 'http://127.0.0.1:8001', token: 'any' },
    ],
  ])('may be reached with %s', (_, hub, access) => {
    expect(readHubs([{ name: 'hub', ...hub }])[0].access).toEqual(access);
  });

  it('may have modes of its own', () => {
    const controllers = { propagation: { mode: 'observe' }, aggregation: {} };
    const [one, other] = readHubs([
      { ...byFile, controllers },
      { ...byFile, name: 'other' },
    ]);
    expect(one.modes).toEqual({ propagation: 'observe' });
    expect(other.modes).toEqual({});
  });

  it.each<[string, JsonObject, RegExp]>([
    [
      'without a connection',
      { name: 'hub' },
      /hubs\[0\]: must have exactly one of kubeconfig: .*, inCluster: true, url, and kubernetesCluster/,
    ],
    [
      'with two connections',
      { ...byFile, inCluster: true },
      /hubs\[0\]: must have exactly one of .*, not kubeconfig and inCluster/,
    ],
    [
      'with a URL without TLS',
      { ...byUrl, url: 'http://hub.example.com' },
      /hubs\[0\]\.url: must be an address that begins with https/,
    ],
    [
      'with a URL on loopback only up to its user info',
      { ...byUrl, url: 'http://localhost:80@hub.example.com' },
      /hubs\[0\]\.url: must be an address without user name and password/,
    ],
    [
      'with a password in the URL',
      { ...byUrl, url: 'https://admin:pass@hub.example.com' },
      /hubs\[0\]\.url: must be an address without user name and password/,
    ],
    [
      'with the URL of a host that only begins like loopback',
      { ...byUrl, url: 'http://127.0.0.1.example.com' },
      /hubs\[0\]\.url: must be an address that begins with https/,
    ],
    [
      'without a token',
      { name: 'hub', url: URL },
      /hubs\[0\]\.token: a hub with url needs either token or tokenFile/,
    ],
    [
      'with two tokens',
      { ...byUrl, tokenFile: '/token' },
      /hubs\[0\]\.token: .*not both/,
    ],
    [
      'with two CAs',
      { ...byUrl, caData: CA, caFile: '/ca' },
      /hubs\[0\]\.caFile: must not be set together with caData/,
    ],
    [
      'with a CA that is not a certificate',
      { ...byUrl, caData: '/etc/ca.crt' },
      /hubs\[0\]\.caData: must be certificates in PEM, in base64/,
    ],
    [
      'with a CA that skipTLSVerify makes ineffective',
      { ...byUrl, caFile: '/ca', skipTLSVerify: true },
      /hubs\[0\]\.skipTLSVerify: makes caData and caFile ineffective/,
    ],
    [
      'with a token beside a kubeconfig',
      { ...byFile, token: 'secret' },
      /hubs\[0\]\.token: is only allowed together with url, and this hub has kubeconfig/,
    ],
    [
      'with a mode that does not exist',
      { ...byFile, controllers: { propagation: { mode: 'on' } } },
      /hubs\[0\]\.controllers\.propagation\.mode: .*"observe"/,
    ],
    [
      'with a controller that does not exist',
      { ...byFile, controllers: { propagate: { mode: 'off' } } },
      /hubs\[0\]\.controllers.*propagat/,
    ],
  ])('is refused %s', (_, hub, message) => {
    expect(() => readHubs([hub])).toThrow(message);
  });

  it.each(['http://localhost:8001', 'http://127.0.0.1', 'http://[::1]:8001/'])(
    'may be on loopback without TLS: %s',
    url => {
      expect(() => readHubs([{ ...byUrl, url }])).not.toThrow();
    },
  );

  it.each(['very-secret@hub', 'user:very-secret@hub'])(
    'is refused without the user info of its URL in the message: %s',
    host => {
      expect(() => readHubs([{ ...byUrl, url: `https://${host}` }])).toThrow(
        expect.objectContaining({
          message: expect.not.stringContaining('very-secret'),
        }),
      );
    },
  );

  it('is refused without its token in the message', () => {
    const wrong = { ...byUrl, token: 'very-secret', tokenFile: '/token' };
    expect(() => readHubs([wrong])).toThrow(
      expect.objectContaining({
        message: expect.not.stringContaining('very-secret'),
      }),
    );
  });
});

describe('what the portal may write', () => {
  const grant = {
    namespaces: ['team-a'],
    projects: ['team-a-*'],
    repositories: ['https://github.com/acme'],
    destinationNamespaces: ['*'],
    clusterSets: ['dev'],
  };
  const grants = (...writes: JsonObject[]) =>
    readHubs([{ ...byFile, writes }])[0].writes.grants;

  it('is nothing by default', () => {
    expect(readHubs([byFile])[0].writes.grants).toEqual([]);
  });

  it('is what the configuration says', () => {
    const everySet = {
      ...grant,
      namespaces: ['openshift-gitops'],
      clusterSets: ['*'],
      clusterLabels: { environment: 'dev' },
    };
    expect(grants(grant, everySet)).toEqual([
      { ...grant, key: 'argocdFleet.hubs[0].writes[0]', clusterLabels: {} },
      {
        ...everySet,
        key: 'argocdFleet.hubs[0].writes[1]',
        clusterSets: undefined,
      },
    ]);
  });

  it.each<[string, JsonObject[], RegExp]>([
    [
      'a system namespace',
      [{ ...grant, namespaces: ['kube-system'] }],
      /hubs\[0\]\.writes\[0\]\.namespaces\[0\]: kube-system is never allowed/,
    ],
    [
      'a system namespace to deploy to',
      [{ ...grant, destinationNamespaces: ['team-a', 'openshift-config'] }],
      /writes\[0\]\.destinationNamespaces\[1\]: openshift-config is never/,
    ],
    [
      'the beginning of system namespaces to deploy to',
      [{ ...grant, destinationNamespaces: ['kube-*'] }],
      /writes\[0\]\.destinationNamespaces\[0\]: kube-\* is never allowed/,
    ],
    [
      'every namespace of the hub',
      [{ ...grant, namespaces: ['*'] }],
      /namespaces\[0\]: must be the name of a namespace; a \* is not allowed/,
    ],
    [
      'a star in the middle',
      [{ ...grant, projects: ['a*b'] }],
      /projects\[0\]: must be a name; only its end/,
    ],
    [
      'a repository with a password',
      [{ ...grant, repositories: ['https://a:b@github.com/acme'] }],
      /repositories\[0\]: has a user name/,
    ],
    [
      'a namespace in two entries',
      [grant, grant],
      /writes\[1\]\.namespaces: team-a is in entry 0 too/,
    ],
    [
      'an entry that leaves out what is allowed',
      [{ ...grant, projects: undefined }],
      /writes\[0\]\.projects/,
    ],
  ])('is refused with %s', (_, writes, message) => {
    expect(() => grants(...writes)).toThrow(message);
  });
});

describe("a cluster of Backstage's kubernetes plugin", () => {
  const cluster = {
    name: 'acm',
    url: URL,
    authProvider: 'serviceAccount',
    serviceAccountToken: 'secret',
    caData: CA,
  };

  function accessOf(...clusters: JsonObject[]) {
    const [{ access }] = readHubs([{ name: 'hub', kubernetesCluster: 'acm' }], {
      clusterLocatorMethods: [
        { type: 'catalog' },
        { type: 'config', clusters },
      ],
    });
    return access;
  }

  it('may be a hub', () => {
    const other = { ...cluster, name: 'other', authProvider: 'google' };
    expect(accessOf(other, cluster)).toEqual({
      url: URL,
      token: 'secret',
      caData: CA,
    });
    expect(accessOf({ ...cluster, skipTLSVerify: true })).toEqual({
      url: URL,
      token: 'secret',
      skipTLSVerify: true,
    });
  });

  it.each<[string, JsonObject, RegExp]>([
    [
      'it is not in the configuration',
      { ...cluster, name: 'other' },
      /hubs\[0\]\.kubernetesCluster: there is no cluster "acm" .*\(it has other\)/,
    ],
    [
      'it needs the credentials of portal users',
      { ...cluster, authProvider: 'google' },
      /hubs\[0\]\.kubernetesCluster: authProvider of the cluster "acm" .*must be serviceAccount/,
    ],
    [
      'it has no token',
      { ...cluster, serviceAccountToken: undefined },
      /hubs\[0\]\.kubernetesCluster: serviceAccountToken of the cluster "acm" .*must be set/,
    ],
  ])('is refused as a hub where %s', (_, wrong, message) => {
    expect(() => accessOf(wrong)).toThrow(message);
  });
});

it('owners of namespaces are entity references in full', () => {
  const ownersOf = (owners: string[]) =>
    readHubs([
      {
        ...byFile,
        writes: [
          {
            namespaces: ['team-a'],
            owners,
            projects: ['*'],
            repositories: ['https://example.com/a'],
            destinationNamespaces: ['*'],
            clusterSets: ['*'],
          },
        ],
      },
    ])[0].writes.grants[0].owners;
  expect(ownersOf(['Team-A', 'user:default/anna'])).toEqual([
    'group:default/team-a',
    'user:default/anna',
  ]);
  expect(() => ownersOf(['component:default/shop'])).toThrow(
    /writes\[0\]\.owners\[0\]: must be the entity reference of a group or user/,
  );
  expect(() => ownersOf([])).toThrow(/writes\[0\]\.owners/);
});

it('a hub has no further addresses unless they are listed, each with https', () => {
  const addressesOf = (addresses?: string[]) =>
    readHubs([{ ...byFile, ...(addresses && { addresses }) }])[0].addresses;
  expect(addressesOf()).toEqual([]);
  const listed = ['https://203.0.113.7:6443'];
  expect(addressesOf(listed)).toEqual(listed);
  expect(() => addressesOf(['http://203.0.113.7'])).toThrow(
    /hubs\[0\]\.addresses\[0\]: must be an address that begins with https/,
  );
});

describe('the namespace of RHACM', () => {
  const namespaceOf = (hub: JsonObject) => {
    const [{ rhacmNamespace, search }] = readHubs([{ ...byFile, ...hub }]);
    return [rhacmNamespace, search?.access.url.split('.')[1]];
  };
  const token = 'secret';

  it.each<[string, JsonObject, (string | undefined)[]]>([
    ['the documented one', {}, ['open-cluster-management', undefined]],
    ['the configured one', { rhacmNamespace: 'acm' }, ['acm', undefined]],
    [
      'that of Search too',
      { rhacmNamespace: 'acm', search: { token } },
      ['acm', 'acm'],
    ],
    [
      'that of Search, if only that is configured',
      { search: { token, namespace: 'acm' } },
      ['acm', 'acm'],
    ],
    [
      'another than that of Search, if both are configured',
      { rhacmNamespace: 'acm', search: { token, namespace: 'search' } },
      ['acm', 'search'],
    ],
  ])('is %s', (_, hub, expected) => {
    expect(namespaceOf(hub)).toEqual(expected);
  });

  it('is the name of a namespace', () => {
    expect(() => namespaceOf({ rhacmNamespace: 'a/b' })).toThrow(
      /hubs\[0\]\.rhacmNamespace: must be the name of a namespace/,
    );
  });
});
