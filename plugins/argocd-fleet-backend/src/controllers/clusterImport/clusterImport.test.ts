import { readFile, writeFile } from 'node:fs/promises';
import type { TestBackend } from '@backstage/backend-test-utils';
import {
  PLACEMENT_LABEL,
  type ControllerRun,
  type GitOpsCluster,
  type KubernetesObject,
  type Secret,
} from 'backstage-plugin-argocd-fleet-common';
import { defaultScenario, startSimulatedFleet } from 'simulated-fleet';
import request from 'supertest';
import { applyRbac, deployedRbac } from '../../__testUtils__/deployedRbac';
import { CRDS } from '../../__testUtils__/emptyHub';
import { startFaultyLink } from '../../__testUtils__/faultyLink';
import { oneHub, startFleetBackend } from '../../__testUtils__/fleetBackend';
import {
  provideDecision,
  startTestHub,
  type TestHub,
} from '../../__testUtils__/hubFixture';
import { BACKEND } from '../../__testUtils__/hubServer';
import {
  controlledBy,
  managedCluster,
  managedServiceAccountDefinition,
  NAMESPACE,
  placementDecision,
  pullApplication,
} from '../../__testUtils__/objects';
import { waitFor } from '../../__testUtils__/waitFor';
import type { ResourceType } from '../../kubernetes/client/client';

const GITOPS_CRD = 'gitopsclusters.apps.open-cluster-management.io';
const MARK = { 'app.kubernetes.io/managed-by': BACKEND };

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('cluster import', () => {
  let testHub: TestHub;
  let backend: TestBackend | undefined;
  let admin: TestHub['admin'];

  beforeEach(async () => {
    testHub = await startTestHub();
    ({ admin } = testHub);
    await testHub.provideNamespaces(NAMESPACE, 'closed', 'one', 'two', 'three');
    await allowIn(NAMESPACE);
    for (const name of ['one', 'two', 'three']) {
      await admin.create('clusters', managedCluster(name, { region: name }));
    }
    await provideDecision(admin);
  });

  afterEach(async () => {
    await backend?.stop();
    backend = undefined;
    await testHub.stop();
  });

  /** As an administrator allows cluster import in a namespace of Argo CD. */
  async function allowIn(ns: string) {
    const bindings = deployedRbac('argocd-namespace').map(object => ({
      ...object,
      metadata: { ...object.metadata, namespace: ns },
    }));
    await applyRbac(admin.client, bindings);
  }

  function gitOpsCluster(
    name: string,
    spec: Partial<GitOpsCluster['spec']> = {},
  ): GitOpsCluster {
    return {
      apiVersion: 'apps.open-cluster-management.io/v1beta1',
      kind: 'GitOpsCluster',
      metadata: { name, namespace: NAMESPACE },
      spec: {
        argoServer: { argoNamespace: NAMESPACE },
        placementRef: { kind: 'Placement', name: 'all' },
        ...spec,
      },
    };
  }

  /** As RHACM creates it. */
  function blankSecret(cluster: string): Secret {
    return {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: `${cluster}-cluster-secret`,
        namespace: NAMESPACE,
        labels: {
          region: cluster,
          'argocd.argoproj.io/secret-type': 'cluster',
          'apps.open-cluster-management.io/acm-cluster': 'true',
          'apps.open-cluster-management.io/cluster-name': cluster,
          'apps.open-cluster-management.io/cluster-server': `${cluster}-control-plane`,
        },
      },
      type: 'Opaque',
      data: {
        name: base64(cluster),
        server: base64(`https://${cluster}-control-plane`),
      },
    };
  }

  async function decide(clusters: readonly string[], decision = 'all') {
    await testHub.patchStatus(
      'decisions',
      placementDecision(decision).metadata,
      {
        decisions: clusters.map(clusterName => ({ clusterName, reason: '' })),
      },
    );
  }

  async function start(mode = 'manage', path = testHub.kubeconfigPath) {
    const off = { mode: 'off' };
    backend = await startFleetBackend({
      argocdFleet: oneHub(path, {
        clusterImport: {
          argocdNamespaces: { closed: [NAMESPACE] },
          managedServiceAccounts: { [NAMESPACE]: ['argocd'] },
        },
        controllers: {
          clusterImport: { mode, fullPassEvery: '100ms' },
          propagation: off,
          applicationStatus: off,
          aggregation: off,
        },
      }),
    });
  }

  async function status(): Promise<ControllerRun> {
    const { body } = await request(backend!.server).get(
      '/api/argocd-fleet/controllers',
    );
    return body.items.find(
      ({ controller }: ControllerRun) => controller === 'clusterImport',
    );
  }

  async function codes() {
    return (await status()).findings.map(({ code }) => code);
  }

  /** Resolves once so many full passes that began after this call are complete. */
  async function passes(count = 1) {
    for (let passed = 0; passed < count; passed += 1) {
      const before = (await status()).lastPassAt;
      await waitFor(async () => (await status()).lastPassAt !== before);
    }
  }

  async function secrets(): Promise<string[]> {
    const items = await admin.list('clusterSecrets');
    return items.map(({ metadata }) => metadata.name).sort();
  }

  function secret(name: string) {
    return admin.get('clusterSecrets', { namespace: NAMESPACE, name });
  }

  async function phase(name = 'importer') {
    const object = await admin.get('gitOpsClusters', {
      namespace: NAMESPACE,
      name,
    });
    return object?.status?.phase;
  }

  function requests(verb: string) {
    return testHub.hub.requests
      .filter(entry => entry.userAgent === BACKEND && entry.verb === verb)
      .map(({ resource }) => resource);
  }

  const allThree = [
    'one-cluster-secret',
    'three-cluster-secret',
    'two-cluster-secret',
  ];

  async function importThree(mode?: string, path?: string) {
    await decide(['one', 'two', 'three']);
    await admin.create('gitOpsClusters', gitOpsCluster('importer'));
    await start(mode, path);
  }

  it('creates the Secrets, the generator’s ConfigMap and its rights, and reports it in the status; a second pass makes no write and no list', async () => {
    await importThree();
    // A pass before the hub's Placements are listed succeeds too, with no cluster that may be used yet.
    await waitFor(async () => {
      const importer = await admin.get('gitOpsClusters', {
        namespace: NAMESPACE,
        name: 'importer',
      });
      return importer?.status?.message?.startsWith('3 clusters') ?? false;
    });
    expect(await phase()).toBe('successful');

    expect(await secrets()).toEqual(allThree);
    expect(await secret('one-cluster-secret')).toMatchObject({
      metadata: { labels: { ...blankSecret('one').metadata.labels, ...MARK } },
      type: 'Opaque',
      data: blankSecret('one').data,
    });
    const [config] = await admin.list('generatorConfigs');
    expect(config).toMatchObject({
      metadata: { name: 'ocm-placement-generator', namespace: NAMESPACE },
      data: {
        apiVersion: 'cluster.open-cluster-management.io/v1beta1',
        kind: 'placementdecisions',
        statusListKey: 'decisions',
        matchKey: 'clusterName',
      },
    });
    const place = {
      namespace: NAMESPACE,
      name: 'argocd-fleet-placement-decisions',
    };
    expect(await admin.get('placementRoles', place)).toMatchObject({
      rules: [{ verbs: ['get', 'list', 'watch'] }],
    });
    expect(await admin.get('placementRoleBindings', place)).toMatchObject({
      subjects: [{ name: 'argocd-applicationset-controller' }],
    });
    const { status: written } = (await admin.get('gitOpsClusters', {
      namespace: NAMESPACE,
      name: 'importer',
    }))!;
    expect(written?.message).toBe(`3 clusters imported into ${NAMESPACE}`);

    await passes(2);
    testHub.clearRequests();
    await passes(3);
    expect(testHub.writes()).toEqual([]);
    expect(requests('list')).toEqual([]);
    expect(requests('get')).toEqual([]);
  });

  it('adopts Secrets that RHACM created without writing to them', async () => {
    for (const name of ['one', 'two', 'three']) {
      await admin.create('clusterSecrets', blankSecret(name));
    }
    await importThree();
    await waitFor(async () => (await phase()) === 'successful');
    await passes(2);
    expect(testHub.writes().filter(it => it.includes('secrets'))).toEqual([]);
  });

  it('adopts the scenario of the product documentation, and adds what the ApplicationSet controller needs', async () => {
    const argocd = 'openshift-gitops';
    await testHub.provideNamespaces(argocd);
    await allowIn(argocd);
    const fleet = await startSimulatedFleet({
      kubeconfig: { path: testHub.adminKubeconfigPath },
      scenario: defaultScenario,
    });
    try {
      await fleet.ready;
      const importers = await admin.list('gitOpsClusters');
      const placements = importers.map(({ spec }) => spec?.placementRef?.name);
      await waitFor(async () => {
        const decided = (await admin.list('decisions'))
          .filter(decision => decision.status?.decisions?.length)
          .map(({ metadata }) => metadata.labels?.[PLACEMENT_LABEL]);
        return placements.every(each => decided.includes(each));
      });
      await start();
      await waitFor(async () => {
        const now = await admin.list('gitOpsClusters');
        return now.every(({ status: said }) => said?.phase === 'successful');
      });
      await passes(2);
      expect([...testHub.writes()].sort()).toEqual([
        `create rolebindings ${argocd}`,
        `create roles ${argocd}`,
        ...importers
          .map(
            ({ metadata }) => `patch gitopsclusters ${argocd} ${metadata.name}`,
          )
          .sort(),
      ]);
    } finally {
      await fleet.stop();
    }
  });

  it('copies label changes of a ManagedCluster, and keeps what others set on the Secret', async () => {
    await importThree();
    await waitFor(async () => (await secrets()).length === 3);
    const name = 'one-cluster-secret';
    await admin.patch(
      'clusterSecrets',
      { namespace: NAMESPACE, name },
      {
        metadata: { labels: { theirs: 'x' }, annotations: { theirs: 'y' } },
        data: { shard: base64('1') },
      },
    );
    await admin.patch(
      'clusters',
      { name: 'one' },
      { metadata: { labels: { region: null, zone: 'a' } } },
    );
    await waitFor(
      async () => (await secret(name))?.metadata.labels?.zone === 'a',
    );
    const { metadata, data } = (await secret(name))!;
    expect(metadata.labels).toMatchObject({ theirs: 'x' });
    expect(metadata.labels).not.toHaveProperty('region');
    expect(metadata.annotations).toMatchObject({ theirs: 'y' });
    expect(data).toMatchObject({ shard: base64('1') });
  });

  it('reads all decisions of a Placement with more than 100 clusters', async () => {
    const names = Array.from({ length: 230 }, (_, index) => `edge-${index}`);
    for (const name of names) {
      await admin.create('clusters', managedCluster(name));
    }
    const owner = await admin.get('placements', {
      namespace: NAMESPACE,
      name: 'all',
    });
    for (const [index, decision] of ['b', 'c', 'd'].entries()) {
      const object = placementDecision(decision);
      await admin.create('decisions', {
        ...object,
        metadata: {
          ...object.metadata,
          labels: { 'cluster.open-cluster-management.io/placement': 'all' },
          ownerReferences: [controlledBy(owner!)],
        },
      } as KubernetesObject);
      await decide(names.slice(index * 100, index * 100 + 100), decision);
    }
    await admin.create('gitOpsClusters', gitOpsCluster('importer'));
    await start();
    await waitFor(async () => (await phase()) === 'successful');
    expect(await secrets()).toHaveLength(230);
  });

  describe('a Secret created by hand', () => {
    const byHand = (name: string, data: Record<string, string>) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name,
        namespace: NAMESPACE,
        labels: { 'argocd.argoproj.io/secret-type': 'cluster' },
      },
      data,
    });

    it.each([
      [
        'of the same name',
        byHand('one-cluster-secret', { server: base64('https://own:6443') }),
      ],
      ['of the same cluster', byHand('own', { name: base64('one') })],
      [
        'of the same server',
        byHand('own', { server: base64('https://one-control-plane') }),
      ],
      [
        'of the same name, but of no cluster',
        {
          ...byHand('one-cluster-secret', {}),
          metadata: { name: 'one-cluster-secret', namespace: NAMESPACE },
        },
      ],
    ])('%s is kept and reported', async (_, object) => {
      await admin.create('clusterSecrets', object);
      const before = await secret(object.metadata.name);
      await importThree();
      await waitFor(async () => (await codes()).includes('AFC-504'));
      await passes(2);
      expect(await secret(object.metadata.name)).toEqual(before);
      const expected = [object.metadata.name, ...allThree.slice(1)].sort();
      expect(await secrets()).toEqual(expected);
      expect(await phase()).toBe('successful');

      testHub.clearRequests();
      await passes(2);
      expect(testHub.writes()).toEqual([]);

      await admin.delete('clusterSecrets', object.metadata);
      await waitFor(async () => (await secrets()).join() === allThree.join());
    });
  });

  describe('a cluster that leaves the Placement', () => {
    it('loses its Secret, and only it', async () => {
      await importThree();
      await waitFor(async () => (await secrets()).length === 3);
      await decide(['one', 'three']);
      await waitFor(async () => (await secrets()).length === 2);
      expect(await secrets()).toEqual([
        'one-cluster-secret',
        'three-cluster-secret',
      ]);
    });

    it('loses a Secret that RHACM created, if it was wanted since the backend started', async () => {
      await admin.create('clusterSecrets', blankSecret('two'));
      await importThree();
      await waitFor(async () => (await phase()) === 'successful');
      await decide(['one', 'three']);
      await waitFor(async () => (await secrets()).length === 2);
      expect(await secrets()).not.toContain('two-cluster-secret');
    });

    it('keeps a Secret that existed before, and that no GitOpsCluster has wanted since the start', async () => {
      await admin.create('clusterSecrets', blankSecret('two'));
      await decide(['one']);
      await admin.create('gitOpsClusters', gitOpsCluster('importer'));
      await start();
      await waitFor(async () => (await codes()).includes('AFC-507'));
      await passes(2);
      expect(await secrets()).toEqual([
        'one-cluster-secret',
        'two-cluster-secret',
      ]);
    });

    it.each([
      ['a pull-model Application', pullApplication('app', 'two')],
      [
        'a push-model Application, by name',
        {
          ...pullApplication('app', '', { labels: {}, annotations: {} }),
          spec: { destination: { name: 'two' } },
        },
      ],
      [
        'a push-model Application, by server',
        {
          ...pullApplication('app', '', { labels: {}, annotations: {} }),
          spec: { destination: { server: 'https://two-control-plane/' } },
        },
      ],
    ])(
      'keeps its Secret while it is the destination of %s',
      async (_, application) => {
        await admin.create('applications', {
          ...application,
          spec: { ...pullApplication('app', 'two').spec, ...application.spec },
        } as KubernetesObject);
        await importThree();
        await waitFor(async () => (await secrets()).length === 3);
        await decide(['one', 'three']);
        await waitFor(async () => (await codes()).includes('AFC-506'));
        await passes(2);
        expect(await secrets()).toEqual(allThree);

        await admin.delete('applications', application.metadata);
        await waitFor(async () => (await secrets()).length === 2);
      },
    );

    it('keeps its Secret while another GitOpsCluster of the same Argo CD wants it', async () => {
      await provideDecision(admin, 'some');
      await decide(['two'], 'some');
      await admin.create(
        'gitOpsClusters',
        gitOpsCluster('second', {
          placementRef: { kind: 'Placement', name: 'some' },
        }),
      );
      await importThree();
      await waitFor(async () => (await secrets()).length === 3);
      await decide([]);
      await waitFor(async () => (await secrets()).length === 1);
      await passes(2);
      expect(await secrets()).toEqual(['two-cluster-secret']);
    });

    it('keeps its Secret while its decisions are incomplete, or its Placement is gone', async () => {
      await importThree();
      await waitFor(async () => (await secrets()).length === 3);
      const name = { namespace: NAMESPACE, name: 'all' };
      await testHub.patchStatus('placements', name, {
        numberOfSelectedClusters: 3,
      });
      await decide(['one']);
      await passes(3);
      expect(await secrets()).toEqual(allThree);

      // Kubernetes deletes its decisions with it.
      await admin.delete('placements', name);
      await waitFor(async () => (await codes()).includes('AFC-502'));
      await passes(2);
      expect(await secrets()).toEqual(allThree);
      expect(await phase()).toBe('failed');
    });

    it('keeps its Secret while the fresh list of decisions fails, or breaks off half-way', async () => {
      const link = await startFaultyLink(testHub.hub);
      const path = `${testHub.kubeconfigPath}.link`;
      const kubeconfig = await readFile(testHub.kubeconfigPath, 'utf8');
      await writeFile(path, kubeconfig.replaceAll(testHub.hub.url, link.url));
      try {
        await importThree('manage', path);
        await waitFor(async () => (await secrets()).length === 3);
        let asked = 0;
        link.setFault((url, response) => {
          if (!/placementdecisions\?labelSelector/.test(url)) {
            return undefined;
          }
          asked += 1;
          // The first answers break off; those after them are refused.
          response.writeHead(asked > 2 ? 500 : 200).end('{"items": [');
          return { answered: true };
        });
        await decide(['one', 'three']);
        await waitFor(() => asked > 3);
        expect(await secrets()).toEqual(allThree);

        link.setFault(undefined);
        await waitFor(async () => (await secrets()).length === 2);
        await backend?.stop();
        backend = undefined;
      } finally {
        await link.stop();
      }
    });

    it('loses its Secret with its GitOpsCluster, also the last one', async () => {
      await admin.create('applications', pullApplication('app', 'two'));
      await importThree();
      await waitFor(async () => (await secrets()).length === 3);
      await admin.delete('gitOpsClusters', {
        namespace: NAMESPACE,
        name: 'importer',
      });
      await waitFor(async () => (await secrets()).length === 1);
      await waitFor(async () => (await codes()).includes('AFC-506'));
      expect(await secrets()).toEqual(['two-cluster-secret']);
      await admin.delete('applications', {
        namespace: NAMESPACE,
        name: 'app',
      });
      await waitFor(async () => (await secrets()).length === 0);
    });
  });

  it('imports the other clusters when the Secret of one cannot be written, and sums that up in the status', async () => {
    // Longer than the value of a label may be.
    const long = 'a'.repeat(64);
    await admin.create('clusters', managedCluster(long));
    await decide(['one', long, 'three']);
    await admin.create('gitOpsClusters', gitOpsCluster('importer'));
    await start();
    await waitFor(async () => (await phase()) === 'failed');
    expect(await secrets()).toEqual([
      'one-cluster-secret',
      'three-cluster-secret',
    ]);
    const { findings } = await status();
    expect(findings).toMatchObject([
      {
        code: 'AFC-412',
        object: { kind: 'Secret', name: `${long}-cluster-secret` },
      },
    ]);
    const object = await admin.get('gitOpsClusters', {
      namespace: NAMESPACE,
      name: 'importer',
    });
    expect(object?.status?.message).toMatch(
      /^2 clusters imported into argocd; Could not create secrets/,
    );
  });

  it('keeps a ConfigMap with other contents, and reports it', async () => {
    await admin.create('generatorConfigs', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'ocm-placement-generator', namespace: NAMESPACE },
      data: { kind: 'placementrules' },
    } as KubernetesObject);
    await importThree();
    await waitFor(async () => (await codes()).includes('AFC-509'));
    const [config] = await admin.list('generatorConfigs');
    expect(config.data).toEqual({ kind: 'placementrules' });
  });

  it('binds the ApplicationSet controller that the namespace has', async () => {
    await importThree();
    await waitFor(async () => (await phase()) === 'successful');
    await admin.create('serviceAccounts', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: {
        name: 'team-applicationset-controller',
        namespace: NAMESPACE,
      },
    });
    await waitFor(async () => {
      const binding = await admin.get('placementRoleBindings', {
        namespace: NAMESPACE,
        name: 'argocd-fleet-placement-decisions',
      });
      expect(binding?.subjects).toEqual([
        {
          kind: 'ServiceAccount',
          name: 'team-applicationset-controller',
          namespace: NAMESPACE,
        },
      ]);
      return true;
    });
  });

  it('reports a namespace that it may not read, and goes on with the others', async () => {
    await admin.create(
      'gitOpsClusters',
      gitOpsCluster('forbidden', {
        argoServer: { argoNamespace: 'closed' },
      }),
    );
    await importThree();
    await waitFor(async () => (await phase()) === 'successful');
    await waitFor(async () => (await phase('forbidden')) === 'failed');
    expect(await secrets()).toEqual(allThree);
    const { findings } = await status();
    expect(findings[0]).toMatchObject({
      code: 'AFC-510',
      title: expect.stringContaining('closed'),
    });
    const { body } = await request(backend!.server).get(
      '/api/argocd-fleet/clusters',
    );
    expect(body.hubs[0]).toMatchObject({ state: 'ready', findings: [] });
  });

  it('has nothing to do without the definition of GitOpsCluster, and begins when it appears', async () => {
    const { metadata, ...crd } = await admin.client.get(CRDS, {
      name: GITOPS_CRD,
    });
    await testHub.removeCrd(GITOPS_CRD);
    await decide(['one']);
    await start();
    await waitFor(async () => (await codes()).join() === 'AFC-511');
    await passes();
    expect((await status()).lastError).toBeUndefined();
    const { body } = await request(backend!.server).get(
      '/api/argocd-fleet/clusters',
    );
    expect(body.hubs[0]).toMatchObject({ state: 'ready', findings: [] });

    await admin.client.create(CRDS, {
      ...crd,
      metadata: { name: metadata.name },
    });
    await waitFor(() =>
      admin
        .create('gitOpsClusters', gitOpsCluster('importer'))
        .then(() => true),
    );
    await waitFor(async () => (await phase()) === 'successful');
    expect(await secrets()).toEqual(['one-cluster-secret']);
  });

  it('takes version v1alpha1 where that is what the hub serves', async () => {
    const { metadata, ...crd } = (await admin.client.get(CRDS, {
      name: GITOPS_CRD,
    })) as KubernetesObject & {
      readonly spec: { readonly versions: readonly object[] };
    };
    await testHub.removeCrd(GITOPS_CRD);
    const versions = crd.spec.versions.map(version => ({
      ...version,
      name: 'v1alpha1',
    }));
    await waitFor(() =>
      admin.client
        .create(CRDS, {
          ...crd,
          metadata: { name: metadata.name },
          spec: { ...crd.spec, versions },
        } as KubernetesObject)
        .then(() => true),
    );
    const older: ResourceType<GitOpsCluster> = {
      group: 'apps.open-cluster-management.io',
      version: 'v1alpha1',
      plural: 'gitopsclusters',
      kind: 'GitOpsCluster',
      namespaced: true,
    };
    await decide(['one']);
    await waitFor(() =>
      admin.client
        .create(older, {
          ...gitOpsCluster('importer'),
          apiVersion: 'apps.open-cluster-management.io/v1alpha1',
        })
        .then(() => true),
    );
    await start();
    await waitFor(async () => {
      const name = { namespace: NAMESPACE, name: 'importer' };
      return (
        (await admin.client.get(older, name)).status?.phase === 'successful'
      );
    });
    expect(await secrets()).toEqual(['one-cluster-secret']);
  });

  it('only reports in observe mode what it would write', async () => {
    await importThree('observe');
    await waitFor(async () =>
      (await status()).findings.some(
        ({ code, evidence }) =>
          code === 'AFC-420' &&
          evidence?.includes(`create Secret ${NAMESPACE}/one-cluster-secret`),
      ),
    );
    await passes(2);
    expect(testHub.writes()).toEqual([]);
    expect(await secrets()).toEqual([]);
  });

  it('reads no Secret where it is off', async () => {
    await importThree('off');
    await waitFor(() => requests('watch').includes('gitopsclusters'));
    expect(
      testHub.hub.requests.filter(
        it => it.userAgent === BACKEND && it.resource === 'secrets',
      ),
    ).toEqual([]);
  });

  describe('with a service account', () => {
    const ACCOUNT = { namespace: 'one', name: 'argocd' };
    const URL = 'https://api.one.example:6443';

    beforeEach(async () => {
      await testHub.provideCrd(managedServiceAccountDefinition());
      await admin.patch(
        'clusters',
        { name: 'one' },
        { spec: { managedClusterClientConfigs: [{ url: URL }] } },
      );
      await decide(['one', 'two']);
      await admin.create(
        'gitOpsClusters',
        gitOpsCluster('importer', { managedServiceAccountRef: 'argocd' }),
      );
    });

    async function issue(token: string, at: string) {
      const held = {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: ACCOUNT,
        data: { token: base64(token), 'ca.crt': base64('authority') },
      };
      if (await admin.get('clusterSecrets', ACCOUNT)) {
        await admin.patch('clusterSecrets', ACCOUNT, { data: held.data });
      } else {
        await admin.create('clusterSecrets', held);
        await waitFor(() =>
          admin
            .create('managedServiceAccounts', {
              apiVersion: 'authentication.open-cluster-management.io/v1beta1',
              kind: 'ManagedServiceAccount',
              metadata: ACCOUNT,
            })
            .then(() => true),
        );
      }
      await testHub.patchStatus('managedServiceAccounts', ACCOUNT, {
        tokenSecretRef: { name: 'argocd', lastRefreshTimestamp: at },
      });
    }

    async function config() {
      const { data } = (await secret('one-cluster-secret')) ?? {};
      return data?.config
        ? JSON.parse(Buffer.from(data.config, 'base64').toString())
        : undefined;
    }

    it('gives Argo CD address and token, updates a renewed token, and reads it once', async () => {
      await issue('first', '2026-01-01T00:00:00Z');
      await start();
      await waitFor(config);
      expect(await config()).toEqual({
        bearerToken: 'first',
        tlsClientConfig: { insecure: false, caData: base64('authority') },
      });
      expect((await secret('one-cluster-secret'))?.data?.server).toBe(
        base64(URL),
      );
      await waitFor(async () => (await codes()).includes('AFC-505'));
      const { findings } = await status();
      expect(findings.map(({ title }) => title)).toEqual(['No token for two']);
      await waitFor(async () => (await phase()) === 'failed');

      await passes(2);
      testHub.clearRequests();
      await passes(3);
      expect([
        ...testHub.writes(),
        ...requests('get'),
        ...requests('list'),
      ]).toEqual([]);

      await issue('second', '2026-02-01T00:00:00Z');
      await waitFor(async () => (await config()).bearerToken === 'second');
    });

    it('reads no Secret for which the agent of a cluster has an illegal name, and still imports the others', async () => {
      const call = (name: string) =>
        testHub.patchStatus('managedServiceAccounts', ACCOUNT, {
          tokenSecretRef: { name },
        });
      await issue('first', '2026-01-01T00:00:00Z');
      await call('..');
      await start();
      for (const evil of [
        '..',
        '../../secrets/hub-admin',
        'a%2fb',
        'token?watch=true',
        '-rf',
      ]) {
        await call(evil);
        const titles = await waitFor(async () => {
          const { findings } = await status();
          return (
            findings.some(
              ({ code, evidence }) => code === 'AFC-512' && evidence === evil,
            ) && findings.map(({ title }) => title)
          );
        });
        expect(titles.sort()).toEqual([
          'Illegal name of the token of one',
          'No token for two',
        ]);
      }
      expect(requests('get')).not.toContain('secrets');
      expect(await config()).toBeUndefined();
    });

    it('never overwrites a token with an empty one', async () => {
      await issue('first', '2026-01-01T00:00:00Z');
      await start();
      await waitFor(config);
      await issue('', '2026-02-01T00:00:00Z');
      await waitFor(async () => {
        const { findings } = await status();
        return findings.some(({ title }) => title === 'No token for one');
      });
      expect((await config()).bearerToken).toBe('first');
    });

    it('removes its own credentials once no service account is named', async () => {
      await issue('first', '2026-01-01T00:00:00Z');
      await start();
      await waitFor(config);
      await admin.patch(
        'gitOpsClusters',
        { namespace: NAMESPACE, name: 'importer' },
        { spec: { managedServiceAccountRef: null } },
      );
      await waitFor(async () => (await config()) === undefined);
      expect((await secret('one-cluster-secret'))?.data).toEqual(
        blankSecret('one').data,
      );
    });
  });
});
