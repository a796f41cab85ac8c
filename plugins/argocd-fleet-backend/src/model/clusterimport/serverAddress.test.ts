import type { ManagedCluster } from 'backstage-plugin-argocd-fleet-common';
import { managedCluster } from '../../__testUtils__/objects';
import { addressProblem, clusterAddresses } from './serverAddress';

const HUB = 'https://api.hub.example.com:6443';

function cluster(
  name: string,
  url: string,
  creationTimestamp = '2026-01-01T00:00:00Z',
): ManagedCluster {
  const { metadata, spec } = managedCluster(name);
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { ...metadata, creationTimestamp },
    spec: { ...spec, managedClusterClientConfigs: [{ url }] },
  };
}

const VICTIM = cluster(
  'victim',
  'https://api.victim.example.com:6443',
  '2025-01-01T00:00:00Z',
);

function problemOf(
  url: string,
  {
    hub = [HUB],
    others = [VICTIM],
    held = {} as Readonly<Record<string, string>>,
    createdAt = '2026-01-01T00:00:00Z',
  } = {},
) {
  return addressProblem(cluster('attacker', url, createdAt), url, {
    hub,
    others,
    heldBy: ({ metadata }) => held[metadata.name],
  });
}

it.each([
  'https://api.own.example.com:6443',
  'https://api.own.example.com',
  'https://10.0.0.1:6443',
  'https://[2001:db8::1]:6443',
  'https://[fd00::1]:6443',
  'https://svc.example.com',
  'https://api.svc.example.com',
  'https://kind-control-plane:6443',
  'https://proxy.example.com/attacker',
])('a cluster may report %s', url => {
  expect(problemOf(url)).toBeUndefined();
});

it.each([
  'http://api.own.example.com',
  'ftp://api.own.example.com',
  'file:///etc/passwd',
  'api.own.example.com:6443',
  '',
  'https://',
])('a cluster may not report %p, which is not https', url => {
  expect(problemOf(url)).toMatch(/https/);
});

it.each([
  'https://user:secret@api.own.example.com',
  'https://api.own.example.com/?x=1',
  'https://api.own.example.com/#x',
])('a cluster may not report %s, which is more than an address', url => {
  expect(problemOf(url)).toMatch(/host, a port and a path/);
});

it.each([
  HUB,
  `${HUB}/`,
  'https://API.Hub.Example.COM:6443',
  'https://api.hub.example.com.:6443',
  `${HUB}/api/v1/namespaces/victim`,
  'https://kubernetes.default.svc',
  'https://kubernetes.default.svc.',
  'https://kubernetes.default.svc.cluster.local:443',
  'https://kubernetes.default',
  'https://kubernetes',
  'https://localhost:6443',
  'https://127.0.0.1:6443',
  'https://127.1:6443',
  'https://2130706433',
  'https://0.0.0.0',
  'https://[::1]:6443',
  'https://[::ffff:127.0.0.1]:6443',
  'https://[::]:6443',
  'https://[::127.0.0.1]',
  'https://api.localhost',
  'https://argocd-repo-server.argocd.svc:8081',
  'https://grafana.monitoring.svc.cluster.local.',
  'https://169.254.169.254/latest',
  'https://[::ffff:169.254.169.254]',
  'https://[fe80::1]:6443',
  'https://[fd00:ec2::254]',
  'https://metadata.google.internal',
])('a cluster that reports %s, where the hub is, is refused', url => {
  expect(problemOf(url)).toMatch(/hub/);
});

it('knows the hub by the path where several API servers have one host', () => {
  const hub = ['https://rancher.example.com/k8s/clusters/local'];
  expect(
    problemOf('https://rancher.example.com/k8s/clusters/local', { hub }),
  ).toMatch(/hub/);
  expect(
    problemOf('https://rancher.example.com/k8s/clusters/x/../local', { hub }),
  ).toMatch(/hub/);
  expect(
    problemOf('https://rancher.example.com/k8s/clusters/locals', { hub }),
  ).toBeUndefined();
});

it('knows all addresses of the hub', () => {
  const hub = [HUB, 'https://203.0.113.7:6443'];
  expect(problemOf('https://203.0.113.7:6443/', { hub })).toMatch(/the hub/);
  expect(problemOf('https://203.0.113.7:6443/')).toBeUndefined();
});

describe('a cluster that reports the address of another one', () => {
  const [{ url: taken = '' }] = VICTIM.spec!.managedClusterClientConfigs!;

  it.each([taken, `${taken}/`, `${taken}/x`, taken.toUpperCase()])(
    'is refused: %s',
    url => {
      expect(problemOf(url)).toBe('It is the address of the cluster victim');
    },
  );

  it('is refused though it is older, where the other one’s Secret has it', () => {
    const createdAt = '2020-01-01T00:00:00Z';
    expect(problemOf(taken, { createdAt })).toBeUndefined();
    expect(problemOf(taken, { createdAt, held: { victim: taken } })).toMatch(
      /victim/,
    );
  });

  it('does not stop the other one, whose Secret has it', () => {
    const attacker = cluster('attacker', taken, '2020-01-01T00:00:00Z');
    expect(
      addressProblem(VICTIM, taken, {
        hub: [HUB],
        others: [attacker],
        heldBy: ({ metadata }) =>
          metadata.name === 'victim' ? taken : undefined,
      }),
    ).toBeUndefined();
  });
});

describe('an imported cluster that is older than another one', () => {
  const own = 'https://api.attacker.example.com:6443';
  const [{ url: used = '' }] = VICTIM.spec!.managedClusterClientConfigs!;
  const reports = (...urls: string[]) => {
    const attacker = cluster('attacker', own, '2020-01-01T00:00:00Z');
    return {
      ...attacker,
      spec: {
        ...attacker.spec!,
        managedClusterClientConfigs: urls.map(url => ({ url })),
      },
    };
  };
  const held: Readonly<Record<string, string>> = { attacker: own };
  const heldBy = ({ metadata }: ManagedCluster) => held[metadata.name];

  it.each([
    ['as another one', reports(own, used)],
    ['as its only one', reports(used)],
    ['as a host alone', reports(own, 'https://api.victim.example.com')],
  ])('does not prevent its import by reporting its address %s', (_, other) => {
    expect(
      addressProblem(VICTIM, used, { hub: [HUB], others: [other], heldBy }),
    ).toBeUndefined();
  });

  it('does not get its address while that one is not imported yet', () => {
    expect(
      addressProblem(reports(used), used, {
        hub: [HUB],
        others: [VICTIM],
        heldBy,
      }),
    ).toMatch(/victim/);
  });

  it('prevents nothing by further addresses before it is imported', () => {
    expect(
      addressProblem(VICTIM, used, {
        hub: [HUB],
        others: [reports(own, used)],
        heldBy: () => undefined,
      }),
    ).toBeUndefined();
  });
});

it('finds the hosts of what a cluster reports, whatever it is', () => {
  const { metadata, spec } = managedCluster('one');
  expect(
    clusterAddresses({
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata,
      spec: {
        ...spec,
        managedClusterClientConfigs: [
          { url: 'https://A.example.com./x' },
          { url: 'https://a.example.com:443' },
          { url: 'no URL' },
          {},
          { url: 'https://b.example.com:6443' },
        ],
      },
    }),
  ).toEqual(['a.example.com:443', 'b.example.com:6443']);
});
