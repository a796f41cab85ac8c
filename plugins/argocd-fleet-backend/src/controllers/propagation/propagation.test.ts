import type { TestBackend } from '@backstage/backend-test-utils';
import type { JsonObject } from '@backstage/types';
import {
  MANAGED_CLUSTER_ANNOTATION,
  PULL_LABEL,
  type ArgoApplication,
  type ControllerRun,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import request from 'supertest';
import { reportSynced } from '../../__testUtils__/agentReport';
import { oneHub, startFleetBackend } from '../../__testUtils__/fleetBackend';
import {
  provideDecision,
  startTestHub,
  type TestHub,
} from '../../__testUtils__/hubFixture';
import {
  managedCluster,
  NAMESPACE,
  ownedBy,
  placementDecision,
  pullApplication,
  pullApplicationSet,
} from '../../__testUtils__/objects';
import { waitFor } from '../../__testUtils__/waitFor';
import { FLEET_RESOURCES } from '../../fleet';
import type { ObjectName } from '../../kubernetes/client';

const FINALIZER = 'resources-finalizer.argocd.argoproj.io';

describe('propagation', () => {
  let testHub: TestHub;
  let backend: TestBackend | undefined;
  let admin: TestHub['admin'];

  beforeEach(async () => {
    testHub = await startTestHub();
    ({ admin } = testHub);
    await testHub.provideNamespaces(NAMESPACE, 'other', 'one', 'two', 'three');
    for (const name of ['one', 'two', 'three']) {
      await admin.create('clusters', managedCluster(name));
    }
    await admin.create(
      'clusters',
      managedCluster('local-cluster', { 'local-cluster': 'true' }),
    );
    await provideDecision(admin);
    await decide('one', 'two', 'local-cluster');
  });

  afterEach(async () => {
    await backend?.stop();
    backend = undefined;
    await testHub.stop();
  });

  async function start(mode = 'manage', more: JsonObject = {}) {
    backend = await startFleetBackend({
      argocdFleet: oneHub(testHub.kubeconfigPath, {
        controllers: { propagation: { mode, fullPassEvery: '100ms', ...more } },
      }),
    });
  }

  async function decide(...clusters: string[]) {
    await testHub.patchStatus('decisions', placementDecision('all').metadata, {
      decisions: clusters.map(clusterName => ({ clusterName, reason: '' })),
    });
  }

  async function apply(application: ArgoApplication) {
    await admin.create('applications', application);
  }

  function named(name: string) {
    return { namespace: NAMESPACE, name };
  }

  /** `<cluster>/<work>` of every work, sorted. */
  async function works(): Promise<string[]> {
    const items = await admin.list('works');
    return items
      .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
      .sort();
  }

  async function workName(application: string, cluster: string) {
    const { metadata } = (await admin.get('applications', named(application)))!;
    return `${cluster}/${application}-${metadata.uid?.slice(0, 5)}`;
  }

  async function status(): Promise<ControllerRun> {
    const { body } = await request(backend!.server).get(
      '/api/argocd-fleet/controllers',
    );
    return body.items.find(
      ({ controller }: ControllerRun) => controller === 'propagation',
    );
  }

  /** Resolves once a full pass that began after this call is complete. */
  async function passes(count = 1) {
    for (let passed = 0; passed < count; passed += 1) {
      const before = (await status()).lastPassAt;
      await waitFor(async () => (await status()).lastPassAt !== before);
    }
  }

  const codes = ({ findings }: ControllerRun) =>
    findings.map(({ code }) => code);

  it('creates one work for each Application, none for the hub itself, and writes nothing the second time', async () => {
    await apply(pullApplication('app-one', 'one'));
    await apply(pullApplication('app-two', 'two'));
    await apply(pullApplication('app-hub', 'local-cluster'));
    await start();

    const expected = [
      await workName('app-one', 'one'),
      await workName('app-two', 'two'),
    ];
    await waitFor(async () => (await works()).length === 2);
    expect(await works()).toEqual(expected);

    testHub.clearRequests();
    await passes(3);
    expect(testHub.writes()).toEqual([]);
    expect(await works()).toEqual(expected);
  });

  it('copies a change of the Application to its work, and reverts a change by another client', async () => {
    await apply(pullApplication('app', 'one'));
    await start();
    await waitFor(async () => (await works()).length === 1);
    const [work] = await admin.list('works');
    const revision = async () => {
      const { spec } = (await admin.get('works', work.metadata))!;
      return (spec.workload?.manifests?.[0] as ArgoApplication).spec.source
        ?.targetRevision;
    };

    await admin.patch('applications', named('app'), {
      spec: { source: { targetRevision: 'v2' } },
    });
    await waitFor(async () => (await revision()) === 'v2');

    const { manifests } = (await admin.get('works', work.metadata))!.spec
      .workload!;
    const meddled = structuredClone(manifests) as unknown as [
      { spec: { source: { targetRevision: string } } },
    ];
    meddled[0].spec.source.targetRevision = 'meddled';
    await admin.patch('works', work.metadata, {
      spec: { workload: { manifests: meddled } },
    });
    await waitFor(async () => (await revision()) === 'v2');
    expect(await works()).toHaveLength(1);
  });

  it('refuses a cluster that no decision names, reports it, and delivers as soon as the decision arrives', async () => {
    await apply(pullApplication('app', 'three'));
    await start();

    await waitFor(async () => codes(await status()).includes('AFC-104'));
    await passes(2);
    expect(await works()).toEqual([]);
    expect(testHub.writes()).toEqual([]);

    await decide('one', 'two', 'three');
    await waitFor(async () => (await works()).length === 1);
    await waitFor(async () => codes(await status()).length === 0);
  });

  it('does not accept a decision of another namespace', async () => {
    await testHub.provideNamespaces('tenant');
    await apply(pullApplication('hostile', 'one', { namespace: 'tenant' }));
    await start();
    await waitFor(async () => codes(await status()).includes('AFC-104'));
    await passes(2);
    expect(await works()).toEqual([]);
    expect(testHub.writes()).toEqual([]);
  });

  it('keeps and no longer updates the work of an Application whose decision is lost', async () => {
    await apply(pullApplication('app', 'one'));
    await start();
    await waitFor(async () => (await works()).length === 1);
    await decide('two');
    await waitFor(async () => codes(await status()).includes('AFC-104'));
    testHub.clearRequests();

    await admin.patch('applications', named('app'), {
      spec: { source: { targetRevision: 'v2' } },
    });
    await passes(2);
    expect(await works()).toHaveLength(1);
    expect(testHub.writes()).toEqual([]);
  });

  it('removes the work before the finalizer of a deleted Application', async () => {
    await apply(
      pullApplication('app', 'one', {
        finalizers: [FINALIZER, 'somebody.example.com/else'],
      }),
    );
    await start();
    await waitFor(async () => (await works()).length === 1);
    testHub.clearRequests();

    await admin.delete('applications', named('app'));

    await waitFor(async () => (await works()).length === 0);
    const left = await waitFor(async () => {
      const application = await admin.get('applications', named('app'));
      return application?.metadata.finalizers?.length === 1 && application;
    });
    expect(left.metadata.finalizers).toEqual(['somebody.example.com/else']);
    expect(
      testHub.writes().map(write => write.split(' ', 2).join(' ')),
    ).toEqual(['delete manifestworks', 'patch applications']);
  });

  it.each<[string, (set: ObjectName, work: ObjectName) => Promise<unknown>]>([
    [
      'its work is gone',
      (_, work) => admin.patch('works', work, { metadata: { finalizers: [] } }),
    ],
    [
      'that is deleted in the background',
      set => admin.delete('applicationSets', set),
    ],
  ])(
    'keeps the finalizer of an Application whose ApplicationSet is deleted in the foreground, until %s',
    async (_, end) => {
      const name = named('app');
      await admin.create('applicationSets', pullApplicationSet('app'));
      const set = (await admin.get('applicationSets', name))!;
      const [owner] = ownedBy(set).ownerReferences!;
      await apply(
        pullApplication('app', 'one', {
          finalizers: [FINALIZER],
          ownerReferences: [{ ...owner, blockOwnerDeletion: true }],
        }),
      );
      await start();
      const [work] = await waitFor(async () => {
        const found = await admin.list('works');
        return found.length === 1 && found;
      });
      // The cluster is away.
      await admin.patch('works', work.metadata, {
        metadata: { finalizers: ['example.com/agent'] },
      });

      await admin.client.delete(FLEET_RESOURCES.applicationSets, name, {
        uid: set.metadata.uid!,
        propagationPolicy: 'Foreground',
      });
      await admin.delete('applications', name);
      await waitFor(
        async () =>
          (await admin.get('works', work.metadata))?.metadata.deletionTimestamp,
      );
      await passes(2);
      expect(
        (await admin.get('applications', name))?.metadata.finalizers,
      ).toContain(FINALIZER);

      await end(name, work.metadata);
      await waitFor(async () => !(await admin.get('applications', name)));
    },
  );

  it('removes the finalizer of an Application whose work never existed', async () => {
    await apply(pullApplication('app', 'three', { finalizers: [FINALIZER] }));
    await admin.delete('applications', named('app'));
    await start();
    await waitFor(async () => !(await admin.get('applications', named('app'))));
    expect(codes(await status())).toEqual([]);
  });

  it('removes the work of an Application that was deleted without a finalizer', async () => {
    await apply(pullApplication('app', 'one'));
    await start();
    await waitFor(async () => (await works()).length === 1);
    await admin.delete('applications', named('app'));
    await waitFor(async () => (await works()).length === 0);
    expect(codes(await status())).toEqual([]);
  });

  it('removes a work that was orphaned while no backend ran, and none that is not ours', async () => {
    const orphan = (name: string, annotations: Record<string, string>) => ({
      apiVersion: 'work.open-cluster-management.io/v1',
      kind: 'ManifestWork',
      metadata: { name, namespace: 'one', annotations },
      spec: {
        workload: {
          manifests: [
            {
              apiVersion: 'v1',
              kind: 'ConfigMap',
              metadata: { name: 'some', namespace: 'default' },
            },
          ],
        },
      },
    });
    const prefix = 'apps.open-cluster-management.io/hub-application';
    await admin.create(
      'works',
      orphan('orphan', {
        [`${prefix}-namespace`]: NAMESPACE,
        [`${prefix}-name`]: 'gone',
      }),
    );
    await admin.create('works', orphan('argo-admin', {}));
    await start();
    await waitFor(async () => (await works()).length === 1);
    expect(await works()).toEqual(['one/argo-admin']);
  });

  it.each(['"no"', 'without the label'])(
    'keeps the work of an Application that is no longer pull-model: %s',
    async how => {
      await apply(pullApplication('app', 'one'));
      await start();
      await waitFor(async () => (await works()).length === 1);
      testHub.clearRequests();
      await admin.patch('applications', named('app'), {
        metadata: { labels: { [PULL_LABEL]: how === '"no"' ? 'no' : null } },
      });
      await waitFor(async () => codes(await status()).includes('AFC-121'));
      await passes(2);
      expect(testHub.writes()).toEqual([]);

      await admin.patch('applications', named('app'), {
        metadata: { labels: { [PULL_LABEL]: 'true' } },
      });
      await waitFor(async () => codes(await status()).length === 0);
      expect(testHub.writes()).toEqual([]);
    },
  );

  it('moves an Application to another cluster: the old work is deleted when the new one has synced', async () => {
    await apply(pullApplication('app', 'one'));
    await start();
    await waitFor(async () => (await works()).length === 1);
    testHub.clearRequests();

    await admin.patch('applications', named('app'), {
      metadata: { annotations: { [MANAGED_CLUSTER_ANNOTATION]: 'two' } },
    });

    const moved = await workName('app', 'two');
    await waitFor(async () => (await works()).includes(moved));
    await passes(2);
    expect(await works()).toHaveLength(2);
    expect(codes(await status())).toEqual(['AFC-123']);
    const [namespace, name] = moved.split('/');
    await reportSynced(testHub, { namespace, name });
    await waitFor(async () => (await works()).join() === moved);
    const writes = testHub.writes().filter(it => it.includes('manifestworks'));
    expect(writes.map(write => write.split(' ').slice(0, 3).join(' '))).toEqual(
      ['create manifestworks two', 'delete manifestworks one'],
    );
  });

  it('replaces the work of an Application that was created again under the same name', async () => {
    await apply(pullApplication('app', 'one'));
    await start();
    await waitFor(async () => (await works()).length === 1);
    await admin.delete('applications', named('app'));
    await apply(pullApplication('app', 'one'));
    const expected = await workName('app', 'one');
    await waitFor(async () => (await works()).includes(expected));
    await passes(2);
    expect(await works()).toHaveLength(2);
    const [namespace, name] = expected.split('/');
    await reportSynced(testHub, { namespace, name });
    await waitFor(async () => (await works()).join() === expected);
    await passes(2);
    expect(await works()).toEqual([expected]);
  });

  it('only reports in observe mode what it would write', async () => {
    await apply(pullApplication('app', 'one'));
    await start('observe');
    await waitFor(async () => codes(await status()).includes('AFC-420'));
    const { findings, mode } = await status();
    expect(mode).toBe('observe');
    expect(findings[0].evidence).toBe(
      `create ManifestWork ${await workName('app', 'one')}`,
    );
    await passes(2);
    expect(testHub.writes()).toEqual([]);
    expect(await works()).toEqual([]);
  });

  it('continues after a backend that was stopped in the middle, without a duplicate work', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `app-${index}`);
    for (const name of names) {
      await apply(pullApplication(name, 'one'));
    }
    await start();
    await waitFor(async () => (await works()).length > 0);
    await backend?.stop();

    await start();
    await waitFor(async () => (await works()).length === names.length);
    await passes(2);
    const all = (await admin.list('works')) as readonly ManifestWork[];
    expect(all).toHaveLength(names.length);
    expect(
      testHub.writes().filter(write => write.startsWith('delete')),
    ).toEqual([]);
  });

  it('continues from one run of its task to the next', async () => {
    // Only the first pass of each run comes.
    await start('manage', { runWindow: '300ms', fullPassEvery: '1h' });
    await passes(2);
    await apply(pullApplication('app', 'one'));
    await waitFor(async () => (await works()).length === 1);
    expect(await works()).toEqual([await workName('app', 'one')]);
  });

  it('does not run, and deletes nothing, while the hub does not serve Applications', async () => {
    await apply(pullApplication('app', 'one'));
    await start();
    await waitFor(async () => (await works()).length === 1);
    await backend?.stop();
    testHub.clearRequests();
    await testHub.removeCrd('applications.argoproj.io');
    await start();

    await waitFor(async () =>
      (await status()).lastError?.includes('list applications.argoproj.io'),
    );
    const { body } = await request(backend!.server).get(
      '/api/argocd-fleet/controllers',
    );
    expect(body.hubs[0].findings[0].title).toBe(
      'Application is not served by hub hub',
    );
    expect(testHub.writes()).toEqual([]);
    expect(await works()).toHaveLength(1);
  });
});
