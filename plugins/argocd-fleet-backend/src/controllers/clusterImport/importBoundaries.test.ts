import { readFile, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createServiceFactory,
  type BackendFeature,
} from '@backstage/backend-plugin-api';
import {
  metricsServiceRef,
  type MetricAttributes,
  type MetricsService,
} from '@backstage/backend-plugin-api/alpha';
import type { TestBackend } from '@backstage/backend-test-utils';
import { metricsServiceMock } from '@backstage/backend-test-utils/alpha';
import {
  CLUSTER_SET_LABEL,
  type Finding,
  type GitOpsCluster,
  type KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import { applyRbac, deployedRbacFor } from '../../__testUtils__/deployedRbac';
import { startFaultyLink } from '../../__testUtils__/faultyLink';
import {
  getControllers,
  oneHub,
  startFleetBackend,
} from '../../__testUtils__/fleetBackend';
import {
  provideDecision,
  startTestHub,
  type TestHub,
} from '../../__testUtils__/hubFixture';
import {
  boundSet,
  clusterSet,
  controlledBy,
  decisionStatus,
  managedCluster,
  managedServiceAccountDefinition,
  NAMESPACE,
  placement,
  placementDecision,
} from '../../__testUtils__/objects';
import { waitFor } from '../../__testUtils__/waitFor';

const TENANT = 'tenant';
const ACCOUNT = 'argocd';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Counts how often the controller reconciles a key. */
function countReconciles() {
  let count = 0;
  const record = (name: string, attributes?: MetricAttributes) => {
    if (
      name === 'argocd_fleet.controller.work.duration' &&
      attributes?.controller === 'clusterImport'
    ) {
      count += 1;
    }
  };
  const metrics = metricsServiceMock.mock({
    createHistogram: (name: string) => ({
      record: (_: number, attributes?: MetricAttributes) =>
        record(name, attributes),
    }),
  } as Partial<MetricsService>);
  return {
    count: () => count,
    feature: createServiceFactory({
      service: metricsServiceRef,
      deps: {},
      factory: () => metrics,
    }),
  };
}

/** Resolves once nothing was reconciled for several times as long as events wait to be bundled. */
async function waitUntilRest(count: () => number) {
  let before = 0;
  await waitFor(async () => {
    before = count();
    await pause(1_000);
    return count() === before;
  });
}

/** What a tenant, or a cluster's agent, does to change what the hub's Argo CD knows. */
describe('the boundaries of cluster import', () => {
  let testHub: TestHub;
  let backend: TestBackend | undefined;
  let admin: TestHub['admin'];

  beforeEach(async () => {
    testHub = await startTestHub();
    ({ admin } = testHub);
    await testHub.provideNamespaces(NAMESPACE, TENANT, 'one', 'two');
    await applyRbac(admin.client, deployedRbacFor(NAMESPACE));
    await applyRbac(admin.client, deployedRbacFor(TENANT));
    await admin.create('clusters', managedCluster('one'));
    await admin.create('clusters', managedCluster('two'));
    await provideDecision(admin);
  });

  afterEach(async () => {
    await backend?.stop();
    backend = undefined;
    await testHub.stop();
  });

  async function start(
    argocdNamespaces: Record<string, string[]> = {},
    {
      path = testHub.kubeconfigPath,
      fullPassEvery = '200ms',
      accounts = { [NAMESPACE]: [ACCOUNT] },
      features,
    }: {
      readonly accounts?: Readonly<Record<string, string[]>>;
      readonly path?: string;
      readonly fullPassEvery?: string;
      readonly features?: BackendFeature[];
    } = {},
  ) {
    const off = { mode: 'off' };
    backend = await startFleetBackend({
      features,
      argocdFleet: oneHub(path, {
        clusterImport: { argocdNamespaces, managedServiceAccounts: accounts },
        controllers: {
          clusterImport: { fullPassEvery },
          propagation: off,
          applicationStatus: off,
          aggregation: off,
        },
      }),
    });
  }

  async function stop() {
    await backend?.stop();
    backend = undefined;
  }

  function gitOpsCluster(
    namespace: string,
    argoNamespace: string,
    spec: Partial<GitOpsCluster['spec']> = {},
  ): GitOpsCluster {
    return {
      apiVersion: 'apps.open-cluster-management.io/v1beta1',
      kind: 'GitOpsCluster',
      metadata: { name: `of-${namespace}`, namespace },
      spec: {
        argoServer: { argoNamespace },
        placementRef: { kind: 'Placement', name: 'all' },
        ...spec,
      },
    };
  }

  async function select(ns: string, ...clusters: string[]) {
    await testHub.patchStatus(
      'decisions',
      placementDecision('all', ns).metadata,
      decisionStatus(clusters),
    );
  }

  async function clusterSecrets() {
    return (await admin.list('clusterSecrets')).filter(({ metadata }) =>
      metadata.name.endsWith('-cluster-secret'),
    );
  }

  /** `<namespace>/<name>` of the clusters' Secrets. */
  async function secrets() {
    return (await clusterSecrets())
      .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
      .sort();
  }

  async function serverOf(cluster: string) {
    const found = await admin.get('clusterSecrets', {
      namespace: NAMESPACE,
      name: `${cluster}-cluster-secret`,
    });
    const server = found?.data?.server;
    return server && Buffer.from(server, 'base64').toString();
  }

  async function findings(): Promise<Finding[]> {
    const { items } = await getControllers(backend!);
    return items.flatMap(run => run.findings);
  }

  async function hasCode(code: string) {
    return (await findings()).find(finding => finding.code === code);
  }

  async function passes(count: number) {
    const lastPass = async () => {
      const { items } = await getControllers(backend!);
      return items.find(({ controller }) => controller === 'clusterImport')
        ?.lastPassAt;
    };
    for (let passed = 0; passed < count; passed += 1) {
      const before = await lastPass();
      await waitFor(async () => (await lastPass()) !== before);
    }
  }

  it('a tenant’s GitOpsCluster imports nothing into another namespace’s Argo CD, until the configuration permits it', async () => {
    await provideDecision(admin, 'all', TENANT);
    await select(TENANT, 'two');
    await select(NAMESPACE, 'one');
    await admin.create('gitOpsClusters', gitOpsCluster(NAMESPACE, NAMESPACE));
    await admin.create('gitOpsClusters', gitOpsCluster(TENANT, NAMESPACE));
    await start();
    const { fix } = await waitFor(() => hasCode('AFC-513'));
    expect(fix).not.toHaveProperty('command');
    await waitFor(async () => (await secrets()).length === 1);
    await passes(2);
    expect(await secrets()).toEqual([`${NAMESPACE}/one-cluster-secret`]);
    const { status } = (await admin.get('gitOpsClusters', {
      namespace: TENANT,
      name: `of-${TENANT}`,
    }))!;
    expect(status?.phase).toBe('failed');
    await stop();

    await start({ [NAMESPACE]: [TENANT] });
    await waitFor(async () => (await secrets()).length === 2);
    await stop();

    // The Secret that exists stays, and is not updated.
    await start();
    await waitFor(async () =>
      (await hasCode('AFC-513'))?.fix?.command?.includes(
        `'${NAMESPACE}': ['${TENANT}']`,
      ),
    );
    await admin.patch(
      'clusters',
      { name: 'two' },
      { metadata: { labels: { region: 'eu' } } },
    );
    await select(NAMESPACE);
    await waitFor(async () => (await secrets()).length === 1);
    await passes(2);
    const [kept] = (await admin.list('clusterSecrets')).filter(
      ({ metadata }) => metadata.name === 'two-cluster-secret',
    );
    expect(kept.metadata.labels).not.toHaveProperty('region');
  });

  it('a tenant’s invalid GitOpsCluster holds up no removal in another namespace’s Argo CD', async () => {
    await select(NAMESPACE, 'one', 'two');
    await admin.create('gitOpsClusters', gitOpsCluster(NAMESPACE, NAMESPACE));
    await admin.create(
      'gitOpsClusters',
      gitOpsCluster(TENANT, NAMESPACE, {
        placementRef: { kind: 'Placement', name: '' },
      } as Partial<GitOpsCluster['spec']>),
    );
    await start();
    await waitFor(async () => (await secrets()).length === 2);
    await waitFor(() => hasCode('AFC-501'));
    await select(NAMESPACE, 'one');
    await waitFor(async () => (await secrets()).length === 1);
    expect(await secrets()).toEqual([`${NAMESPACE}/one-cluster-secret`]);
  });

  it('a tenant’s decisions that do not count import no cluster, and an adopted Secret of one stays', async () => {
    // The tenant may use the set `team`, which has only the first cluster.
    await admin.patch(
      'clusters',
      { name: 'one' },
      { metadata: { labels: { [CLUSTER_SET_LABEL]: 'team' } } },
    );
    await admin.create('clusterSets', clusterSet('team'));
    await admin.create('clusterSetBindings', boundSet('team', TENANT));
    await admin.create('placements', placement('all', TENANT));
    const owner = await admin.get('placements', {
      namespace: TENANT,
      name: 'all',
    });
    const { metadata, ...rest } = placementDecision('all', TENANT);
    await admin.create('decisions', {
      ...rest,
      metadata: { ...metadata, ownerReferences: [controlledBy(owner!)] },
    } as KubernetesObject);
    await select(TENANT, 'one', 'two');
    await admin.create('gitOpsClusters', gitOpsCluster(TENANT, TENANT));
    await admin.create('clusterSetBindings', boundSet('global', TENANT));
    await start();
    await waitFor(async () => (await secrets()).length === 2);

    await admin.delete('clusterSetBindings', {
      namespace: TENANT,
      name: 'global',
    });
    const finding = await waitFor(() => hasCode('AFC-115'));
    expect(finding.title).toContain('two');
    await passes(2);
    expect(await secrets()).toHaveLength(2);
    await stop();

    await admin.delete('clusterSecrets', {
      namespace: TENANT,
      name: 'two-cluster-secret',
    });
    await start();
    await waitFor(() => hasCode('AFC-115'));
    await passes(2);
    expect(await secrets()).toEqual([`${TENANT}/one-cluster-secret`]);
  });

  it.each(['managedclustersets', 'managedclustersetbindings'])(
    'Secrets are neither created, changed nor removed while it is not known yet which decisions count (%s)',
    async resource => {
      await select(NAMESPACE, 'one');
      await admin.create('gitOpsClusters', gitOpsCluster(NAMESPACE, NAMESPACE));
      await start();
      await waitFor(async () => (await secrets()).length === 1);
      await stop();
      const [before] = await clusterSecrets();
      await admin.patch(
        'clusters',
        { name: 'one' },
        { metadata: { labels: { region: 'eu' } } },
      );
      await select(NAMESPACE, 'one', 'two');

      const link = await startFaultyLink(testHub.hub);
      try {
        const unanswered: ServerResponse[] = [];
        link.setFault((url, response) => {
          if (!url.includes(`/${resource}?`)) {
            return undefined;
          }
          unanswered.push(response);
          return { answered: true };
        });
        const path = `${testHub.kubeconfigPath}.link`;
        const kubeconfig = await readFile(testHub.kubeconfigPath, 'utf8');
        await writeFile(path, kubeconfig.replaceAll(testHub.hub.url, link.url));
        await start({}, { path });
        for (const cluster of ['one', 'two']) {
          await waitFor(async () =>
            (await findings()).some(
              ({ code, object }) =>
                code === 'AFC-116' && object?.name === cluster,
            ),
          );
        }
        await passes(2);
        expect(unanswered.length).toBeGreaterThan(0);
        expect(await clusterSecrets()).toEqual([before]);

        link.setFault(undefined);
        unanswered.forEach(response => response.destroy());
        await waitFor(async () => (await secrets()).length === 2);
        await waitFor(async () =>
          (await clusterSecrets()).every(
            ({ metadata }) =>
              metadata.name !== before.metadata.name ||
              metadata.labels?.region === 'eu',
          ),
        );
        await stop();
      } finally {
        await link.stop();
      }
    },
  );

  it('a tenant’s GitOpsClusters that import into each other’s namespaces come to rest', async () => {
    const other = `${TENANT}-too`;
    await testHub.provideNamespaces(other);
    await applyRbac(admin.client, deployedRbacFor(other));
    const [from, to] = [TENANT, other];
    for (const [namespace, into] of [
      [from, to],
      [to, from],
    ]) {
      await provideDecision(admin, 'all', namespace);
      await select(namespace, 'one', 'two');
      await admin.create('gitOpsClusters', gitOpsCluster(namespace, into));
    }
    const work = countReconciles();
    await start(
      { [from]: [to], [to]: [from] },
      // Longer than the test: what is reconciled follows from an event.
      { fullPassEvery: '1h', features: [work.feature] },
    );
    const messages = async () =>
      (await admin.list('gitOpsClusters')).map(({ status }) => status?.message);
    await waitFor(async () =>
      (await messages()).every(it => it?.startsWith('2 clusters imported')),
    );
    await waitUntilRest(work.count);

    // An event of each starts no loop either.
    for (const namespace of [from, to]) {
      await admin.patch(
        'gitOpsClusters',
        { namespace, name: `of-${namespace}` },
        { spec: { placementRef: { kind: 'Placement', name: 'missing' } } },
      );
    }
    await waitFor(async () =>
      (await messages()).every(it => it?.includes('No Placement missing')),
    );
    await waitUntilRest(work.count);
    expect(new Set(await messages())).toEqual(
      new Set(
        [from, to].map(
          into => `0 clusters imported into ${into}; No Placement missing`,
        ),
      ),
    );
  });

  it('of two GitOpsClusters with different service accounts, the text of the finding names none of another namespace', async () => {
    const withAccount = { managedServiceAccountRef: ACCOUNT };
    await testHub.provideCrd(managedServiceAccountDefinition());
    await provideDecision(admin, 'all', TENANT);
    await select(NAMESPACE, 'one');
    await select(TENANT, 'one');
    await admin.create(
      'gitOpsClusters',
      gitOpsCluster(NAMESPACE, NAMESPACE, withAccount),
    );
    await admin.create('gitOpsClusters', gitOpsCluster(TENANT, NAMESPACE));
    const second = gitOpsCluster(NAMESPACE, NAMESPACE);
    await admin.create('gitOpsClusters', {
      ...second,
      metadata: { ...second.metadata, name: 'second' },
    });
    await start({ [NAMESPACE]: [TENANT] });
    const titles = await waitFor(async () => {
      const found = (await findings()).filter(({ code }) => code === 'AFC-508');
      return found.length === 2 && found.map(({ title }) => title).sort();
    });
    expect(titles).toEqual([
      'A GitOpsCluster of another namespace determines the Secret of one',
      // That of its own namespace is no secret.
      `The GitOpsCluster of-${NAMESPACE} determines the Secret of one`,
    ]);
    const status = await waitFor(async () => {
      const tenants = await admin.get('gitOpsClusters', {
        namespace: TENANT,
        name: `of-${TENANT}`,
      });
      return tenants?.status?.message?.includes('determines') && tenants.status;
    });
    expect(JSON.stringify(status)).not.toContain(`of-${NAMESPACE}`);
    const texts = (await findings())
      .filter(({ title }) => title === titles[0])
      .map(finding => JSON.stringify(finding));
    expect(texts).toHaveLength(1);
    for (const name of [`of-${NAMESPACE}`, 'second', ACCOUNT]) {
      expect(texts[0]).not.toContain(name);
    }
  });

  describe('where Argo CD gets a token for a cluster', () => {
    const OF = {
      one: 'https://api.one.example:6443',
      two: 'https://api.two.example:6443',
    };

    beforeEach(async () => {
      await testHub.provideCrd(managedServiceAccountDefinition());
      for (const [name, url] of Object.entries(OF)) {
        await report(name, url);
        await issueToken(name);
      }
      await admin.create(
        'gitOpsClusters',
        gitOpsCluster(NAMESPACE, NAMESPACE, {
          managedServiceAccountRef: ACCOUNT,
        }),
      );
    });

    async function issueToken(name: string) {
      const place = { namespace: name, name: ACCOUNT };
      await admin.create('clusterSecrets', {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: place,
        data: { token: base64(`token of ${name}`) },
      } as KubernetesObject);
      await waitFor(() =>
        admin
          .create('managedServiceAccounts', {
            apiVersion: 'authentication.open-cluster-management.io/v1beta1',
            kind: 'ManagedServiceAccount',
            metadata: place,
          })
          .then(() => true),
      );
      await testHub.patchStatus('managedServiceAccounts', place, {
        tokenSecretRef: {
          name: ACCOUNT,
          lastRefreshTimestamp: '2026-01-01T00:00:00Z',
        },
      });
    }

    /** As the cluster's agent writes it. */
    async function report(cluster: string, url: string) {
      await admin.patch(
        'clusters',
        { name: cluster },
        { spec: { managedClusterClientConfigs: [{ url }] } },
      );
    }

    /** Addresses that cannot be those of the cluster two. */
    const foreignAddresses = () => [
      testHub.hub.url.replace('http:', 'https:'),
      'https://kubernetes.default.svc',
      OF.one,
      'http://api.two.example:6443',
    ];

    /** Resolves once the address is refused, and that had time to change anything. */
    async function untilRefused(address: string) {
      const refused = await waitFor(async () => {
        const found = (await findings()).filter(
          ({ code }) => code === 'AFC-514',
        );
        return found[0]?.evidence?.startsWith(`${address}\n`) && found;
      });
      expect(refused.map(({ object }) => object?.name)).toEqual(['two']);
      await passes(2);
    }

    it('a cluster that reports the address of the hub, of another cluster or without TLS is not imported, and changes no other', async () => {
      await select(NAMESPACE, 'one');
      await start();
      await waitFor(async () => (await secrets()).length === 1);
      const [first] = foreignAddresses();
      await report('two', first);
      await select(NAMESPACE, 'one', 'two');
      for (const address of foreignAddresses()) {
        await report('two', address);
        await untilRefused(address);
        expect([address, ...(await secrets())]).toEqual([
          address,
          `${NAMESPACE}/one-cluster-secret`,
        ]);
        expect(await serverOf('one')).toBe(OF.one);
      }
    });

    const tokenIn = async (namespace: string) => {
      const found = await admin.get('clusterSecrets', {
        namespace,
        name: 'one-cluster-secret',
      });
      const { config = '' } = (found?.data ?? {}) as { config?: string };
      return Buffer.from(config, 'base64').toString();
    };

    it('a tenant’s Argo CD gets the tokens of no account that the configuration does not name for it', async () => {
      await provideDecision(admin, 'all', TENANT);
      await select(TENANT, 'one');
      await select(NAMESPACE, 'one');
      await admin.create(
        'gitOpsClusters',
        gitOpsCluster(TENANT, TENANT, { managedServiceAccountRef: ACCOUNT }),
      );
      await start();
      const { object, fix } = await waitFor(() => hasCode('AFC-516'));
      expect(object).toMatchObject({ namespace: TENANT });
      expect(fix).not.toHaveProperty('command');
      await waitFor(async () => (await tokenIn(NAMESPACE)) !== '');
      await passes(2);
      expect(await secrets()).toEqual([`${NAMESPACE}/one-cluster-secret`]);
      await stop();

      await start({}, { accounts: { [TENANT]: [ACCOUNT] } });
      await waitFor(async () =>
        (await tokenIn(TENANT)).includes('token of one'),
      );
    });

    it('an Argo CD keeps the tokens that it has from before, and gets no others', async () => {
      await provideDecision(admin, 'all', TENANT);
      await select(TENANT, 'one');
      await select(NAMESPACE, 'one');
      await start();
      await waitFor(async () => (await tokenIn(NAMESPACE)) !== '');
      await stop();

      await admin.patch(
        'clusterSecrets',
        { namespace: 'one', name: ACCOUNT },
        { data: { token: base64('renewed token') } },
      );
      await testHub.patchStatus(
        'managedServiceAccounts',
        { namespace: 'one', name: ACCOUNT },
        {
          tokenSecretRef: {
            name: ACCOUNT,
            lastRefreshTimestamp: '2026-02-01T00:00:00Z',
          },
        },
      );
      await start({}, { accounts: {} });
      await waitFor(async () =>
        (await tokenIn(NAMESPACE)).includes('renewed token'),
      );
      // As tenants may write in their own namespace.
      const [given] = await clusterSecrets();
      await admin.create('clusterSecrets', {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: {
          name: given.metadata.name,
          namespace: TENANT,
          labels: given.metadata.labels,
          annotations: given.metadata.annotations,
        },
        data: { ...given.data, config: base64('{}') },
      } as KubernetesObject);
      await admin.create(
        'gitOpsClusters',
        gitOpsCluster(TENANT, TENANT, { managedServiceAccountRef: ACCOUNT }),
      );
      await waitFor(() => hasCode('AFC-516'));
      await passes(2);
      expect(await tokenIn(TENANT)).toBe('{}');
    });

    it('an imported cluster that reports such an address keeps its Secret as it is', async () => {
      await select(NAMESPACE, 'one', 'two');
      await start();
      await waitFor(async () => (await secrets()).length === 2);
      for (const [index, address] of foreignAddresses().entries()) {
        const before = await serverOf('two');
        await report('two', address);
        await untilRefused(address);
        expect([address, await serverOf('two')]).toEqual([address, before]);
        expect(await serverOf('one')).toBe(OF.one);

        const moved = `https://moved-${index}.two.example:6443`;
        await report('two', moved);
        await waitFor(async () => (await serverOf('two')) === moved);
      }
    });
  });
});
