import type { TestBackend } from '@backstage/backend-test-utils';
import type { JsonObject } from '@backstage/types';
import type {
  ArgoApplicationSet,
  ControllerRun,
} from 'backstage-plugin-argocd-fleet-common';
import request from 'supertest';
import { oneHub, startFleetBackend } from '../__testUtils__/fleetBackend';
import {
  provideDecision,
  startTestHub,
  type TestHub,
} from '../__testUtils__/hubFixture';
import {
  managedCluster,
  NAMESPACE,
  placementDecision,
  pullApplication,
  pullApplicationSet,
} from '../__testUtils__/objects';
import { waitFor } from '../__testUtils__/waitFor';
import type { KubernetesClient } from '../kubernetes/client/client';
import { createConnector } from '../kubernetes/client/connection';
import { createHttpClient } from '../kubernetes/client/httpClient';
import { FLEET_RESOURCES } from './resources';

const RHACM = 'open-cluster-management';

/** Our controllers beside another one that writes the same objects. */
describe('propagation', () => {
  let testHub: TestHub;
  let backend: TestBackend | undefined;
  let admin: TestHub['admin'];
  let competitor: KubernetesClient;

  beforeEach(async () => {
    testHub = await startTestHub();
    ({ admin } = testHub);
    competitor = createHttpClient({
      server: 'hub "test"',
      connector: createConnector({
        server: 'hub "test"',
        access: { kubeconfig: { path: testHub.kubeconfigPath } },
      }),
      fieldManager: 'some-controller',
    });
    await testHub.provideNamespaces(NAMESPACE, 'one', RHACM);
    await admin.create('clusters', managedCluster('one'));
    const decision = placementDecision('all');
    await provideDecision(admin);
    await testHub.patchStatus('decisions', decision.metadata, {
      decisions: [{ clusterName: 'one', reason: '' }],
    });
  });

  afterEach(async () => {
    await backend?.stop();
    backend = undefined;
    await competitor.close();
    await testHub.stop();
  });

  /** With its Deployment running and its ConfigMap as installed. */
  async function startRhacm(namespace = RHACM) {
    const deployment = { namespace, name: 'multicluster-integrations' };
    await admin.create('rhacmDeployments', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: deployment,
      spec: {
        selector: { matchLabels: { app: 'x' } },
        template: {
          metadata: { labels: { app: 'x' } },
          spec: { containers: [{ name: 'x', image: 'x' }] },
        },
      },
    } as Parameters<typeof admin.create>[1]);
    await testHub.patchStatus('rhacmDeployments', deployment, {
      replicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
    });
  }

  const switchRhacmOff = () =>
    admin.create('rhacmConfigMaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: RHACM, name: 'multicluster-integrations-config' },
      data: { 'config.yaml': 'pullModel:\n  basic:\n    disabled: true\n' },
    } as Parameters<typeof admin.create>[1]);

  async function start(
    aggregation: object = { mode: 'off' },
    ofHub: JsonObject = {},
  ) {
    const controllers = {
      propagation: { fullPassEvery: '100ms' },
      aggregation,
    } as JsonObject;
    backend = await startFleetBackend({
      argocdFleet: oneHub(testHub.kubeconfigPath, { controllers }, ofHub),
    });
  }

  async function runOf(name: string): Promise<ControllerRun> {
    const { body } = await request(backend!.server).get(
      '/api/argocd-fleet/controllers',
    );
    return body.items.find(
      ({ controller }: ControllerRun) => controller === name,
    );
  }

  async function findings(of = 'propagation'): Promise<string[]> {
    return (await runOf(of)).findings.map(({ code }) => code);
  }

  /** Further clusters, which the Placement selects too. */
  async function provideClusters(...names: string[]) {
    await testHub.provideNamespaces(...names);
    for (const name of names) {
      await admin.create('clusters', managedCluster(name));
    }
    await testHub.patchStatus('decisions', placementDecision('all').metadata, {
      decisions: ['one', ...names].map(clusterName => ({
        clusterName,
        reason: '',
      })),
    });
  }

  async function work(cluster = 'one') {
    const works = await admin.list('works');
    return works.find(({ metadata }) => metadata.namespace === cluster)!;
  }

  const revisionOf = async (cluster?: string) =>
    JSON.stringify((await work(cluster)).spec.workload).match(
      /"main"|"theirs"/,
    )![0];

  /** Writes another revision into the work of the cluster, as its agent could. */
  async function overwrite(cluster = 'one', metadataChange: object = {}) {
    const { metadata, spec } = await work(cluster);
    const [manifest] = spec.workload!.manifests!;
    await competitor.patch(
      FLEET_RESOURCES.works,
      { namespace: cluster, name: metadata.name },
      {
        metadata: metadataChange,
        spec: {
          workload: {
            manifests: [
              JSON.parse(
                JSON.stringify(manifest).replace('"main"', '"theirs"'),
              ),
            ],
          },
        },
      },
    );
  }

  /** Times of managed fields have whole seconds. */
  async function nextSecond() {
    const second = () => Math.floor(Date.now() / 1000);
    const now = second();
    await waitFor(() => second() > now);
  }

  it('only observes while RHACM propagates, and writes once RHACM is switched off', async () => {
    await startRhacm();
    await admin.create('applications', pullApplication('app', 'one'));
    await start();
    await waitFor(async () => {
      expect(await findings()).toEqual(['AFC-405', 'AFC-420']);
      return true;
    });
    expect(testHub.writes()).toEqual([]);

    await switchRhacmOff();
    await waitFor(work);
    await waitFor(async () => (await findings()).length === 0);
  });

  it('only warns of a Deployment of RHACM’s name in another namespace, unless that is configured', async () => {
    await startRhacm(NAMESPACE);
    await admin.create('applications', pullApplication('app', 'one'));
    await start();
    await waitFor(work);
    await waitFor(async () => (await findings()).length > 0);
    expect((await runOf('propagation')).findings).toMatchObject([
      {
        code: 'AFC-130',
        severity: 'warning',
        evidence: NAMESPACE,
        object: { namespace: NAMESPACE, name: 'multicluster-integrations' },
      },
    ]);

    await backend!.stop();
    await admin.delete('works', (await work()).metadata);
    testHub.clearRequests();
    await start(undefined, { rhacmNamespace: NAMESPACE });
    await waitFor(async () => (await findings()).length === 2);
    expect(await findings()).toEqual(['AFC-405', 'AFC-420']);
    expect(testHub.writes()).toEqual([]);
  });

  it('leaves the reports to RHACM while that propagates', async () => {
    await startRhacm();
    const shop = pullApplicationSet('shop');
    await admin.create('applicationSets', shop as ArgoApplicationSet);
    const { apiVersion, kind } = shop;
    const name = { namespace: NAMESPACE, name: 'shop' };
    const { metadata } = (await admin.get('applicationSets', name))!;
    const owner = { apiVersion, kind, name: 'shop', uid: metadata.uid! };
    await admin.create(
      'applications',
      pullApplication('app', 'one', {
        ownerReferences: [{ ...owner, controller: true }],
      }),
    );
    await start({ fullPassEvery: '100ms' });
    await waitFor(async () => {
      expect(await findings('aggregation')).toEqual(['AFC-408', 'AFC-420']);
      return true;
    });
    expect(testHub.writes()).toEqual([]);

    await switchRhacmOff();
    await waitFor(() => admin.get('reports', name));
    await waitFor(async () => (await findings('aggregation')).length === 0);
  });

  it('stops writing where a controller overwrites it again, and overwrites a single change by a person', async () => {
    await admin.create('applications', pullApplication('app', 'one'));
    await start();
    await waitFor(work);
    await nextSecond();
    await overwrite();
    await waitFor(async () => (await revisionOf()) === '"main"');
    expect(await findings()).toEqual([]);

    await nextSecond();
    await overwrite();
    await waitFor(async () => (await findings()).includes('AFC-406'));
    await nextSecond();
    await overwrite();
    await waitFor(async () => (await findings()).includes('AFC-420'));
    expect(await revisionOf()).toBe('"theirs"');
  });

  it.each([
    ['in its own name', {}],
    ['without any field manager', { managedFields: [{}] }],
  ])(
    'stops for the cluster whose works are overwritten %s, not for others',
    async (_, metadataChange) => {
      await provideClusters('two', 'three');
      await admin.create('applications', pullApplication('app', 'one'));
      await admin.create('applications', pullApplication('other', 'two'));
      await start();
      await waitFor(async () => (await work()) && (await work('two')));

      for (let count = 0; !(await findings()).includes('AFC-420'); count += 1) {
        expect(count).toBeLessThan(5);
        await nextSecond();
        await overwrite('one', metadataChange);
        await waitFor(
          async () =>
            (await revisionOf()) === '"main"' ||
            (await findings()).includes('AFC-420'),
        );
      }
      expect(await findings()).toEqual(['AFC-406', 'AFC-420']);

      await admin.patch(
        'applications',
        { namespace: NAMESPACE, name: 'other' },
        { spec: { source: { targetRevision: 'v2' } } },
      );
      await admin.create('applications', pullApplication('third', 'three'));
      await waitFor(() => work('three'));
      await waitFor(async () =>
        JSON.stringify((await work('two')).spec).includes('"v2"'),
      );
      expect(await revisionOf()).toBe('"theirs"');
    },
  );

  it('stops for the hub where works of three clusters are overwritten', async () => {
    const clusters = ['one', 'two', 'three'];
    await provideClusters('two', 'three', 'four');
    for (const cluster of clusters) {
      await admin.create('applications', pullApplication(cluster, cluster));
    }
    await start();
    await waitFor(async () => (await admin.list('works')).length === 3);
    for (let round = 0; round < 2; round += 1) {
      await nextSecond();
      await Promise.all(clusters.map(cluster => overwrite(cluster)));
      await waitFor(
        async () =>
          round === 1 ||
          (await Promise.all(clusters.map(revisionOf))).every(
            it => it === '"main"',
          ),
      );
    }
    await waitFor(async () => (await findings())[0] === 'AFC-406');
    await waitFor(async () =>
      (await runOf('propagation')).findings[0].message.includes(
        'works of other clusters',
      ),
    );
    testHub.clearRequests();
    await admin.create('applications', pullApplication('fourth', 'four'));
    await waitFor(async () => (await findings()).includes('AFC-420'));
    expect(testHub.writes()).toEqual([]);
  });
});
