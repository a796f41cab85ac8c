import type { TestBackend } from '@backstage/backend-test-utils';
import type {
  ArgoApplication,
  Finding,
  GitOpsCluster,
  KubernetesObject,
  Secret,
} from 'backstage-plugin-argocd-fleet-common';
import { applyRbac, deployedRbacFor } from '../../__testUtils__/deployedRbac';
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
  managedCluster,
  NAMESPACE,
  placementDecision,
  pullApplication,
} from '../../__testUtils__/objects';
import { waitFor } from '../../__testUtils__/waitFor';

const AGENT_NAME = 'argocd-agent.argoproj-labs.io/agent-name';
const OURS = 'one-cluster-secret';
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Clusters that argocd-agent registers with Argo CD itself. */
describe('cluster import beside argocd-agent', () => {
  let testHub: TestHub;
  let backend: TestBackend | undefined;
  let admin: TestHub['admin'];

  beforeEach(async () => {
    testHub = await startTestHub();
    ({ admin } = testHub);
    await testHub.provideNamespaces(NAMESPACE, 'one', 'two');
    await applyRbac(admin.client, deployedRbacFor(NAMESPACE));
    await admin.create('clusters', managedCluster('one'));
    await admin.create('clusters', managedCluster('two'));
    await provideDecision(admin);
    await decide('one', 'two');
  });

  afterEach(async () => {
    await backend?.stop();
    backend = undefined;
    await testHub.stop();
  });

  async function decide(...clusters: string[]) {
    await testHub.patchStatus('decisions', placementDecision('all').metadata, {
      decisions: clusters.map(clusterName => ({ clusterName, reason: '' })),
    });
  }

  const importer = { namespace: NAMESPACE, name: 'importer' };

  function gitOpsCluster(
    metadata: GitOpsCluster['metadata'],
    spec: GitOpsCluster['spec'],
  ): GitOpsCluster {
    return {
      apiVersion: 'apps.open-cluster-management.io/v1beta1',
      kind: 'GitOpsCluster',
      metadata,
      spec: {
        argoServer: { argoNamespace: NAMESPACE },
        placementRef: { kind: 'Placement', name: 'all' },
        ...spec,
      },
    };
  }

  async function provideImporter(spec: Partial<GitOpsCluster['spec']> = {}) {
    await admin.create('gitOpsClusters', gitOpsCluster(importer, spec));
  }

  /** As argocd-agent creates it. */
  function agentSecret(agent: string, name = `cluster-${agent}`): Secret {
    return {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name,
        namespace: NAMESPACE,
        labels: {
          'argocd.argoproj.io/secret-type': 'cluster',
          [AGENT_NAME]: agent,
        },
      },
      data: {
        name: base64(agent),
        server: base64(`https://resource-proxy:9090?agentName=${agent}`),
        config: base64('{}'),
      },
    };
  }

  async function start() {
    const off = { mode: 'off' };
    backend = await startFleetBackend({
      argocdFleet: oneHub(testHub.kubeconfigPath, {
        controllers: {
          clusterImport: { mode: 'manage', fullPassEvery: '100ms' },
          propagation: off,
          applicationStatus: off,
          aggregation: off,
        },
        propagation: { argocdNamespace: NAMESPACE },
      }),
    });
  }

  async function run() {
    const { items } = await getControllers(backend!);
    return items.find(each => each.controller === 'clusterImport')!;
  }

  async function findings(): Promise<readonly Finding[]> {
    return (await run()).findings;
  }

  /** Resolves once so many full passes that began after this call are complete. */
  async function passes(count: number) {
    for (let passed = 0; passed < count; passed += 1) {
      const before = (await run()).lastPassAt;
      await waitFor(async () => (await run()).lastPassAt !== before);
    }
  }

  async function secrets(): Promise<string[]> {
    const items = await admin.list('clusterSecrets');
    return items.map(({ metadata }) => metadata.name).sort();
  }

  async function status() {
    return (await admin.get('gitOpsClusters', importer))?.status;
  }

  it.each([
    ['beside ours', 'cluster-one'],
    ['by the name of ours', OURS],
  ])(
    'leaves the Secret of an agent as it is, %s, and calls it not foreign',
    async (_, name) => {
      await admin.create('clusterSecrets', agentSecret('one', name));
      const place = { namespace: NAMESPACE, name };
      const before = await admin.get('clusterSecrets', place);
      await provideImporter();
      await start();
      await waitFor(async () => (await status())?.phase === 'successful');
      await passes(2);
      expect(await findings()).toEqual([]);
      expect(await secrets()).toEqual([name, 'two-cluster-secret']);
      expect(await admin.get('clusterSecrets', place)).toEqual(before);

      // Without its Secret the agent is gone, and the cluster is imported.
      await admin.delete('clusterSecrets', place);
      await waitFor(
        async () => (await secrets()).join() === `${OURS},two-cluster-secret`,
      );
    },
  );

  describe('an agent’s Secret beside ours', () => {
    const names = [OURS, 'cluster-one'].sort();

    function application(
      name: string,
      spec: Partial<ArgoApplication['spec']>,
      metadata: Partial<ArgoApplication['metadata']> = {},
    ): ArgoApplication {
      const pull = pullApplication(name, 'one');
      return {
        ...pull,
        metadata: { ...pull.metadata, ...metadata },
        spec: { ...pull.spec, ...spec },
      };
    }

    const unmarked = { labels: {}, annotations: {} };
    const byName = application(
      'by-name',
      { destination: { name: 'one' } },
      unmarked,
    );

    beforeEach(async () => {
      await decide('one');
      await provideImporter();
    });

    async function startWithOurs() {
      await start();
      await waitFor(async () => (await secrets()).join() === OURS);
    }

    /** With the labels by which an ApplicationSet may select the cluster. */
    async function registerAgent() {
      const ours = await admin.get('clusterSecrets', {
        namespace: NAMESPACE,
        name: OURS,
      });
      const { metadata, ...secret } = agentSecret('one');
      await admin.create('clusterSecrets', {
        ...secret,
        metadata: {
          ...metadata,
          labels: {
            ...ours?.metadata.labels,
            'app.kubernetes.io/managed-by': 'argocd-agent',
            ...metadata.labels,
          },
        },
      });
    }

    it('stays beside one without its labels, by which an ApplicationSet may select the cluster', async () => {
      await startWithOurs();
      await admin.create('clusterSecrets', agentSecret('one'));
      await waitFor(async () => (await status())?.phase === 'failed');
      await passes(2);
      expect(await secrets()).toEqual(names);
    });

    it('supersedes it, though Applications of the agent have the cluster as destination', async () => {
      await admin.create('applications', byName);
      await startWithOurs();
      await registerAgent();
      await waitFor(async () => (await secrets()).join() === 'cluster-one');
      await waitFor(async () => (await findings()).length === 0);
      await passes(2);
      expect(await status()).toMatchObject({
        phase: 'successful',
        message: `1 cluster imported into ${NAMESPACE}`,
      });
      expect(await secrets()).toEqual(['cluster-one']);
    });

    it.each([
      ['pull-model Application', application('user', {})],
      [
        'Application with our server',
        application(
          'user',
          { destination: { server: 'https://one-control-plane/' } },
          unmarked,
        ),
      ],
    ])(
      'is reported and fails the GitOpsCluster as long as ours has a %s',
      async (_, user) => {
        await admin.create('applications', user);
        await admin.create('applications', byName);
        await startWithOurs();
        await registerAgent();
        await waitFor(async () => isOnly('AFC-515', await findings()));
        await waitFor(async () => (await status())?.phase === 'failed');
        expect(await findings()).toMatchObject([
          {
            code: 'AFC-515',
            object: { kind: 'ManagedCluster', name: 'one' },
            fix: {
              command: `kubectl delete secret ${OURS} -n ${NAMESPACE}`,
            },
          },
        ]);
        expect((await status())?.message).toBe(
          `0 clusters imported into ${NAMESPACE}; 2 Secrets of the cluster one in ${NAMESPACE}`,
        );
        await passes(2);
        expect(await secrets()).toEqual(names);

        await admin.delete('applications', user.metadata);
        await waitFor(async () => (await secrets()).join() === 'cluster-one');
        await waitFor(async () => (await status())?.phase === 'successful');
      },
    );

    it('stays beside one that RHACM made, which would make it again', async () => {
      await startWithOurs();
      await admin.patch(
        'clusterSecrets',
        { namespace: NAMESPACE, name: OURS },
        { metadata: { labels: { 'app.kubernetes.io/managed-by': null } } },
      );
      await admin.create('clusterSecrets', agentSecret('one'));
      await waitFor(async () => (await status())?.phase === 'failed');
      await passes(2);
      expect(await secrets()).toEqual(names);
    });
  });

  it('reports several Secrets of a cluster that no GitOpsCluster imports, and fails none because of them', async () => {
    await decide('one');
    await provideImporter();
    await admin.create('clusterSecrets', agentSecret('third', 'a'));
    await admin.create('clusterSecrets', agentSecret('third', 'b'));
    await start();
    await waitFor(async () => isOnly('AFC-515', await findings()));
    expect(await findings()).toMatchObject([
      {
        code: 'AFC-515',
        title: `2 Secrets of the cluster third in ${NAMESPACE}`,
        fix: {
          command: `kubectl get secret a b -n ${NAMESPACE} --show-labels`,
        },
      },
    ]);
    await waitFor(async () => (await status())?.phase !== undefined);
    await passes(2);
    expect(await status()).toMatchObject({
      phase: 'successful',
      message: `1 cluster imported into ${NAMESPACE}`,
    });
    expect(await secrets()).toEqual(['a', 'b', OURS]);
  });

  it('removes no Secret of an agent when its cluster leaves the Placement, nor when the GitOpsCluster is gone', async () => {
    const object = agentSecret('one', OURS);
    const labels = {
      ...object.metadata.labels,
      'apps.open-cluster-management.io/acm-cluster': 'true',
      'apps.open-cluster-management.io/cluster-name': 'one',
    };
    await admin.create('clusterSecrets', {
      ...object,
      metadata: { ...object.metadata, labels },
    } as KubernetesObject);
    await provideImporter();
    await start();
    await waitFor(async () => (await status())?.phase === 'successful');
    await decide();
    await waitFor(async () => (await secrets()).join() === OURS);
    await admin.delete('gitOpsClusters', importer);
    await passes(2);
    expect(await secrets()).toEqual([OURS]);
    expect(await findings()).toEqual([]);
  });

  it('imports nothing for a GitOpsCluster with argocd-agent, and removes nothing because of it', async () => {
    await decide('one');
    await provideImporter();
    await start();
    await waitFor(async () => (await secrets()).join() === OURS);
    await admin.patch('gitOpsClusters', importer, {
      spec: { gitopsAddon: { argoCDAgent: { enabled: true } } },
    });
    await decide('one', 'two');
    await waitFor(
      async () =>
        (await status())?.message ===
        `0 clusters imported into ${NAMESPACE}; 2 clusters left to argocd-agent`,
    );
    await passes(2);
    expect(await secrets()).toEqual([OURS]);
    expect(await findings()).toEqual([]);
  });

  it('has no Secret of a GitOpsCluster beside one with argocd-agent', async () => {
    await provideImporter();
    await admin.create(
      'gitOpsClusters',
      gitOpsCluster(
        { namespace: NAMESPACE, name: 'with-agents' },
        { gitopsAddon: { argoCDAgent: { enabled: true } } },
      ),
    );
    await start();
    await waitFor(async () => (await status())?.phase !== undefined);
    await passes(2);
    expect(await secrets()).toEqual([]);
    expect((await findings()).map(({ code }) => code)).toEqual([
      'AFC-508',
      'AFC-508',
    ]);
  });
});

/** Until all is listed at the start, there are others. */
function isOnly(code: string, findings: readonly Finding[]): boolean {
  return findings.length === 1 && findings[0].code === code;
}
