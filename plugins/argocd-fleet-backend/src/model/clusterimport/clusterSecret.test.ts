import {
  isNamespaceName,
  type Secret,
} from 'backstage-plugin-argocd-fleet-common';
import {
  placeholderServer,
  clusterIdentities,
  clusterSecret,
  clusterSecretPatch,
  clusterServerLabel,
  isImportedSecret,
  type ClusterAccess,
  type StoredSecret,
} from './clusterSecret';

const LABEL_VALUE = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

function cluster(name: string, labels: Record<string, string> = {}) {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name, labels },
  };
}

function text(secret: Secret, key: string) {
  return Buffer.from(secret.data?.[key] ?? '', 'base64').toString();
}

const CONTRACT = {
  'argocd.argoproj.io/secret-type': 'cluster',
  'apps.open-cluster-management.io/acm-cluster': 'true',
  'apps.open-cluster-management.io/cluster-name': 'one',
  'apps.open-cluster-management.io/cluster-server': 'one-control-plane',
};

const access: ClusterAccess = {
  serviceAccount: 'argocd',
  server: 'https://one.example:6443',
  fingerprint: 'of-config',
  config: 'Y29uZmln',
};

describe('the Secret of a cluster', () => {
  it('has the documented name, labels and placeholder server, without credentials', () => {
    const secret = clusterSecret(cluster('one', { region: 'eu' }), 'argocd');
    expect(secret.metadata).toMatchObject({
      name: 'one-cluster-secret',
      namespace: 'argocd',
      labels: { ...CONTRACT, region: 'eu' },
    });
    expect(Object.keys(secret.data!)).toEqual(['name', 'server']);
    expect(text(secret, 'name')).toBe('one');
    expect(text(secret, 'server')).toBe('https://one-control-plane');
  });

  it('has address and credentials where access is given', () => {
    const secret = clusterSecret(cluster('one'), 'argocd', access);
    expect(text(secret, 'server')).toBe(access.server);
    expect(secret.data?.config).toBe(access.config);
  });

  it.each(Object.keys(CONTRACT))(
    'does not let a label of the ManagedCluster override %s',
    key => {
      const secret = clusterSecret(cluster('one', { [key]: 'evil' }), 'argocd');
      expect(secret.metadata.labels).toMatchObject(CONTRACT);
    },
  );

  it('does not become a part of the Application that the ManagedCluster is a part of', () => {
    const labels = { 'app.kubernetes.io/instance': 'clusters' };
    expect(
      clusterSecret(cluster('one', labels), 'argocd').metadata.labels,
    ).not.toHaveProperty(['app.kubernetes.io/instance']);
  });

  it('does not become the Secret of an agent by a label of the ManagedCluster', () => {
    const key = 'argocd-agent.argoproj-labs.io/agent-name';
    const labels = { [key]: 'one', region: 'eu' };
    const secret = clusterSecret(cluster('one', labels), 'argocd');
    expect(secret.metadata.labels).not.toHaveProperty([key]);
    // As it was before this plugin knew the label.
    const copied = {
      ...secret,
      metadata: {
        ...secret.metadata,
        labels: { ...secret.metadata.labels, [key]: 'one' },
        annotations: { 'argocd-fleet/cluster-labels': `${key},region` },
      },
    };
    expect(isImportedSecret(copied)).toBe(true);
    expect(clusterSecretPatch(copied, secret)).toMatchObject({
      metadata: { labels: { [key]: null } },
    });
  });

  it.each([1, 20, 49, 50, 63])(
    'has a legal server label for a name of %i characters, the same each time',
    length => {
      for (const name of ['a'.repeat(length), `${'a-'.repeat(31)}b`]) {
        const label = clusterServerLabel(name);
        expect(label.length).toBeLessThanOrEqual(63);
        expect(label).toMatch(LABEL_VALUE);
        expect(isNamespaceName(label)).toBe(true);
        expect(clusterServerLabel(name)).toBe(label);
      }
    },
  );

  it('has different server labels for long names with the same beginning', () => {
    const beginning = 'a'.repeat(62);
    expect(clusterServerLabel(`${beginning}b`)).not.toBe(
      clusterServerLabel(`${beginning}c`),
    );
  });

  it('is identified by name and server within its namespace', () => {
    const ids = clusterIdentities(clusterSecret(cluster('one'), 'argocd'));
    const others = [
      clusterSecret(cluster('two'), 'argocd'),
      clusterSecret(cluster('one'), 'other'),
    ].flatMap(clusterIdentities);
    expect(ids).toHaveLength(2);
    expect(others.filter(id => ids.includes(id))).toEqual([]);
  });
});

describe('the change of a Secret', () => {
  const wanted = clusterSecret(cluster('one', { region: 'eu' }), 'argocd');
  const byRhacm: Secret = {
    ...wanted,
    metadata: {
      name: 'one-cluster-secret',
      namespace: 'argocd',
      labels: { ...CONTRACT, region: 'eu' },
    },
  };
  const withConfig = (
    secret: Secret,
    configFingerprint: string,
  ): StoredSecret => ({ ...secret, configFingerprint });

  it.each<[string, Secret]>([
    ['as we make it', wanted],
    ['as RHACM makes it', byRhacm],
    [
      'with more on it',
      {
        ...byRhacm,
        metadata: {
          ...byRhacm.metadata,
          labels: { ...byRhacm.metadata.labels, theirs: 'x' },
          annotations: { theirs: 'y' },
        },
        data: { ...byRhacm.data, shard: 'MQ==' },
      },
    ],
  ])('is none for one %s', (_, existing) => {
    expect(clusterSecretPatch(existing, wanted)).toBeUndefined();
  });

  it('has only what differs, and labels a Secret that it takes over', () => {
    const existing = {
      ...byRhacm,
      metadata: {
        ...byRhacm.metadata,
        labels: { ...byRhacm.metadata.labels, region: 'us' },
      },
    };
    expect(clusterSecretPatch(existing, wanted)).toEqual({
      metadata: {
        labels: {
          region: 'eu',
          'app.kubernetes.io/managed-by': 'argocd-fleet',
        },
        annotations: { 'argocd-fleet/cluster-labels': 'region' },
      },
    });
  });

  it('removes a label that the ManagedCluster no longer has, and no other', () => {
    const existing = {
      ...wanted,
      metadata: {
        ...wanted.metadata,
        labels: { ...wanted.metadata.labels, theirs: 'x' },
      },
    };
    const patch = clusterSecretPatch(
      existing,
      clusterSecret(cluster('one'), 'argocd'),
    );
    expect(patch).toMatchObject({
      metadata: {
        labels: { region: null },
        annotations: { 'argocd-fleet/cluster-labels': '' },
      },
    });
    expect(JSON.stringify(patch)).not.toContain('theirs');
  });

  it('adds credentials, but not where the fingerprint shows that the Secret has them', () => {
    const desired = clusterSecret(
      cluster('one', { region: 'eu' }),
      'argocd',
      access,
    );
    expect(clusterSecretPatch(wanted, desired, access)).toMatchObject({
      data: { config: access.config, server: desired.data?.server },
    });
    expect(
      clusterSecretPatch(
        withConfig(desired, access.fingerprint),
        desired,
        access,
      ),
    ).toBeUndefined();
    expect(
      clusterSecretPatch(withConfig(desired, 'of-older'), desired, access),
    ).toMatchObject({ data: { config: access.config } });
  });

  it('keeps credentials that others added, with their server', () => {
    const existing = withConfig(
      {
        ...byRhacm,
        data: { ...byRhacm.data, server: 'aHR0cHM6Ly9yZWFs' },
      },
      'of-theirs',
    );
    expect(clusterSecretPatch(existing, wanted)).toBeUndefined();
  });

  it('removes its own credentials', () => {
    const push = withConfig(
      clusterSecret(cluster('one', { region: 'eu' }), 'argocd', access),
      access.fingerprint,
    );
    expect(clusterSecretPatch(push, wanted)).toMatchObject({
      metadata: {
        annotations: { 'argocd-fleet/managed-service-account': null },
      },
      data: {
        config: null,
        server: Buffer.from(placeholderServer('one')).toString('base64'),
      },
    });
  });
});

it.each([
  ['one that we make', clusterSecret(cluster('one'), 'argocd'), true],
  [
    'one without the mark',
    {
      ...clusterSecret(cluster('one'), 'argocd'),
      metadata: { name: 'one-cluster-secret' },
    },
    false,
  ],
  [
    'one of another name',
    {
      ...clusterSecret(cluster('one'), 'argocd'),
      metadata: { name: 'mine', labels: CONTRACT },
    },
    false,
  ],
])('counts as imported: %s', (_, secret, expected) => {
  expect(isImportedSecret(secret)).toBe(expected);
});
