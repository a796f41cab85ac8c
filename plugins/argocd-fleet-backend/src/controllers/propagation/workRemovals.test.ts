import type { TestBackend } from '@backstage/backend-test-utils';
import {
  coreServices,
  createServiceFactory,
} from '@backstage/backend-plugin-api';
import type { JsonObject } from '@backstage/types';
import {
  FROZEN_ANNOTATION,
  MANAGED_CLUSTER_ANNOTATION,
  PLACEMENT_LABEL,
  PULL_LABEL,
  RELEASE_ANNOTATION,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { reportSynced, syncedStatus } from '../../__testUtils__/agentReport';
import {
  getControllers,
  oneHub,
  startFleetBackend,
} from '../../__testUtils__/fleetBackend';
import {
  provideDecidedClusters,
  provideDecision,
  startTestHub,
  type TestHub,
} from '../../__testUtils__/hubFixture';
import {
  decisionStatus,
  NAMESPACE,
  ownedBy,
  placementDecision,
  pullApplication,
  pullApplicationSet,
} from '../../__testUtils__/objects';
import { waitFor } from '../../__testUtils__/waitFor';
import {
  openSqlite,
  type TestDatabase,
} from '../../database/__testUtils__/testDatabase';

const CLUSTERS = ['one', 'two', 'three', 'four', 'five'];
const FINALIZER = 'resources-finalizer.argocd.argoproj.io';

describe('works that deliver no longer', () => {
  let testHub: TestHub;
  let admin: TestHub['admin'];
  let backend: TestBackend | undefined;
  let database: TestDatabase;

  beforeEach(async () => {
    testHub = await startTestHub();
    ({ admin } = testHub);
    database = openSqlite();
    await provideDecidedClusters(testHub, CLUSTERS);
  });

  afterEach(async () => {
    await backend?.stop();
    backend = undefined;
    await database.close();
    await testHub.stop();
  });

  async function start(
    removalTimes: object = {},
    hub: JsonObject = {},
    mode = 'manage',
  ) {
    backend = await startFleetBackend({
      argocdFleet: oneHub(
        testHub.kubeconfigPath,
        { controllers: { propagation: { mode, fullPassEvery: '100ms' } } },
        hub,
      ),
      database: createServiceFactory({
        service: coreServices.database,
        deps: {},
        factory: () => ({ getClient: async () => database.knex }),
      }),
      plugin: { removalTimes: { batchMs: 300, ...removalTimes } },
    });
  }

  async function restart(...options: Parameters<typeof start>) {
    await backend?.stop();
    await start(...options);
  }

  function named(name: string) {
    return { namespace: NAMESPACE, name };
  }

  /** Creates an ApplicationSet with an Application for each cluster, named `<set>-<cluster>`. */
  async function createSet(name: string, clusters: readonly string[]) {
    await admin.create('applicationSets', pullApplicationSet(name));
    await generate(name, clusters);
  }

  async function generate(name: string, clusters: readonly string[]) {
    const set = await admin.get('applicationSets', named(name));
    for (const cluster of clusters) {
      await admin.create(
        'applications',
        pullApplication(`${name}-${cluster}`, cluster, ownedBy(set)),
      );
    }
    await waitFor(async () => (await works(name)).length >= clusters.length);
  }

  async function vanish(name: string, clusters: readonly string[]) {
    for (const cluster of clusters) {
      await admin.delete('applications', named(`${name}-${cluster}`));
    }
  }

  async function select(name: string, clusters: readonly string[]) {
    const { metadata } = placementDecision(name, NAMESPACE);
    await testHub.patchStatus('decisions', metadata, decisionStatus(clusters));
  }

  async function works(prefix = ''): Promise<readonly ManifestWork[]> {
    return (await admin.list('works')).filter(({ metadata }) =>
      metadata.name.startsWith(prefix),
    );
  }

  async function run() {
    const { items } = await getControllers(backend!);
    return items.find(({ controller }) => controller === 'propagation')!;
  }

  async function codes(): Promise<string[]> {
    return (await run()).findings.map(({ code }) => code);
  }

  async function passes(count = 2) {
    for (let passed = 0; passed < count; passed += 1) {
      const before = (await run()).lastPassAt;
      await waitFor(async () => (await run()).lastPassAt !== before);
    }
  }

  async function annotate(release: string | null, set = 'shop') {
    await admin.patch('applicationSets', named(set), {
      metadata: { annotations: { [RELEASE_ANNOTATION]: release } },
    });
  }

  async function unlabel(...names: string[]) {
    for (const name of names) {
      await admin.patch('applications', named(name), {
        metadata: { labels: { [PULL_LABEL]: null } },
      });
    }
  }

  const ALL = CLUSTERS.slice(0, 3);

  describe('of a set whose Applications all vanish', () => {
    beforeEach(async () => {
      await start();
      await createSet('shop', ALL);
      await createSet('other', CLUSTERS);
      await vanish('shop', ALL);
      await waitFor(async () => (await codes()).includes('AFC-126'));
    });

    it('are held, and said so', async () => {
      await passes();
      expect(await works('shop')).toHaveLength(3);
      const finding = (await run()).findings.find(
        ({ code }) => code === 'AFC-126',
      )!;
      expect(finding).toMatchObject({
        severity: 'error',
        title: '3 deletions are held',
        object: { kind: 'ApplicationSet', namespace: NAMESPACE, name: 'shop' },
      });
      expect(finding.evidence?.split('\n').sort()).toEqual(
        (await works('shop'))
          .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
          .sort(),
      );
    });

    it('are held while their set may make the Applications again', async () => {
      await testHub.patchStatus('applicationSets', named('shop'), {
        resources: ALL.map(cluster => ({
          kind: 'Application',
          name: `shop-${cluster}`,
        })),
      });
      await waitFor(async () => (await codes()).includes('AFC-123'));
      expect(await codes()).toContain('AFC-126');
      await restart({ successorMs: 1_000 });
      await waitFor(async () => !(await codes()).includes('AFC-123'));
      await passes(3);
      expect(await codes()).toContain('AFC-126');
      expect(await works('shop')).toHaveLength(3);
    });

    it('are held after a restart too', async () => {
      await restart();
      await waitFor(async () => (await codes()).includes('AFC-126'));
      await passes(3);
      expect(await works('shop')).toHaveLength(3);
    });

    it('do not keep new Applications waiting, which take over from them', async () => {
      const old = (await works('shop')).map(({ metadata }) => metadata.uid);
      await generate('shop', ALL);
      await waitFor(async () => (await works('shop')).length === 6);
      await waitFor(async () => !(await codes()).includes('AFC-126'));
      const fresh = (await works('shop')).filter(
        ({ metadata }) => !old.includes(metadata.uid),
      );
      for (const { metadata } of fresh) {
        await reportSynced(testHub, metadata);
      }
      await waitFor(async () => (await works('shop')).length === 3);
      expect((await works('shop')).map(({ metadata }) => metadata.uid)).toEqual(
        fresh.map(({ metadata }) => metadata.uid),
      );
    });

    it('go when a person orders it', async () => {
      await annotate('remove');
      await waitFor(async () => (await works('shop')).length === 0);
      await waitFor(async () => !(await codes()).includes('AFC-126'));
      expect(await works('other')).toHaveLength(5);
    });

    it('go when the configuration releases what the hub holds, and not what it holds later', async () => {
      const before = new Date(Date.now() + 1).toISOString();
      await restart({}, { releaseHeldBefore: before });
      await waitFor(async () => (await works('shop')).length === 0);
      await vanish('other', CLUSTERS);
      await waitFor(async () => (await codes()).includes('AFC-126'));
      await passes();
      expect(await works('other')).toHaveLength(5);
    });
  });

  it('are counted over a restart: the last of three is held', async () => {
    await start();
    await createSet('shop', ALL);
    await createSet('other', CLUSTERS);
    await vanish('shop', ALL.slice(0, 2));
    await waitFor(async () => (await works('shop')).length === 1);
    await restart();
    await vanish('shop', ALL.slice(2));
    await waitFor(async () => (await codes()).includes('AFC-126'));
    await passes();
    expect(await works('shop')).toHaveLength(1);
  });

  it('are held whole where the Placement of their set selects nothing any more, however slowly the set deletes', async () => {
    await start();
    await createSet('shop', ALL);
    await createSet('other', CLUSTERS);
    await admin.patch('applicationSets', named('shop'), {
      spec: {
        generators: [
          {
            clusterDecisionResource: {
              configMapRef: 'ocm-placement-generator',
              labelSelector: { matchLabels: { [PLACEMENT_LABEL]: 'all' } },
            },
          },
        ],
      },
    });
    // One that the set does not use selects them still.
    await provideDecision(admin, 'elsewhere');
    await select('elsewhere', CLUSTERS);
    await select('all', []);
    await vanish('shop', ALL.slice(0, 2));
    // Longer than a batch.
    await passes(10);
    expect(await works('shop')).toHaveLength(3);
    await vanish('shop', ALL.slice(2));
    await waitFor(async () => (await codes()).includes('AFC-126'));
    await passes();
    expect(await works('shop')).toHaveLength(3);
  });

  it('are held whole where the status of their set lists one of the Applications for longer', async () => {
    await start();
    await createSet('shop', ALL);
    await createSet('other', CLUSTERS);
    const list = (...clusters: string[]) =>
      testHub.patchStatus('applicationSets', named('shop'), {
        resources: clusters.map(cluster => ({
          kind: 'Application',
          name: `shop-${cluster}`,
        })),
      });
    await list(ALL[2]);
    await vanish('shop', ALL);
    // Longer than a batch.
    await passes(10);
    expect(await works('shop')).toHaveLength(3);
    await list();
    await waitFor(async () => (await codes()).includes('AFC-126'));
    await passes();
    expect(await works('shop')).toHaveLength(3);
  });

  it('go with a part of a set, and with a single Application', async () => {
    await start();
    await createSet('shop', ALL);
    await createSet('other', CLUSTERS);
    await admin.create('applications', pullApplication('alone', 'four'));
    await waitFor(async () => (await works('alone')).length === 1);
    await vanish('shop', ALL.slice(1));
    await admin.delete('applications', named('alone'));
    await waitFor(async () => (await works()).length === 6);
    expect(await works('shop')).toHaveLength(1);
  });

  it('are held where more than half of a hub vanishes', async () => {
    await start();
    await createSet('shop', CLUSTERS.slice(0, 4));
    await createSet('other', CLUSTERS.slice(0, 3));
    await createSet('third', CLUSTERS.slice(0, 2));
    await Promise.all([
      vanish('shop', CLUSTERS.slice(0, 3)),
      vanish('other', CLUSTERS.slice(0, 2)),
      vanish('third', CLUSTERS.slice(0, 1)),
    ]);
    await waitFor(async () => (await codes()).includes('AFC-126'));
    await passes(3);
    expect(await works()).toHaveLength(9);
  });

  describe('of a set that was deleted', () => {
    async function deleteSet() {
      await admin.delete('applicationSets', named('shop'));
      // As the garbage collector does, which not every hub of these tests has.
      for (const { metadata } of await admin.list('applications')) {
        if (metadata.name.startsWith('shop')) {
          await admin.delete('applications', metadata).catch(() => {});
        }
      }
    }

    it('go at once', async () => {
      await start({ batchMs: 3_600_000 });
      await createSet('shop', ALL);
      await deleteSet();
      await waitFor(async () => (await works()).length === 0);
      expect(await codes()).not.toContain('AFC-126');
    });

    it('go at once after a restart in the middle', async () => {
      await start();
      await createSet('shop', ALL);
      await passes();
      await backend?.stop();
      await deleteSet();
      await start({ batchMs: 3_600_000 });
      await waitFor(async () => (await works()).length === 0);
      expect(await codes()).not.toContain('AFC-126');
    });

    it('are released as ordered, where the set is deleted right after the order', async () => {
      await start({ batchMs: 3_600_000 });
      await createSet('shop', ALL);
      await passes();
      await annotate('orphan');
      await deleteSet();
      await waitFor(async () =>
        (await works()).every(
          ({ metadata }) =>
            metadata.annotations?.['argocd-fleet/releasing'] === 'orphan',
        ),
      );
      await passes(2);
      expect(await works()).toHaveLength(3);
    });

    it('are held where nobody knows the owner that the Applications named, also after a restart', async () => {
      await start();
      await createSet('shop', ALL);
      await backend?.stop();
      for (const cluster of ALL) {
        await admin.patch('applications', named(`shop-${cluster}`), {
          metadata: { finalizers: [FINALIZER] },
        });
      }
      await deleteSet();
      // As of a hub that was restored: what was known is about another one.
      await database.close();
      database = openSqlite();
      await start();
      await waitFor(async () => (await codes()).includes('AFC-126'));
      // Held are works, never Applications.
      await waitFor(
        async () => (await admin.list('applications')).length === 0,
      );
      await restart();
      await passes(3);
      expect(await codes()).toEqual(['AFC-126']);
      expect(await works()).toHaveLength(3);
    });
  });

  it('wait for an Application that its set still makes', async () => {
    await start();
    await createSet('shop', ALL);
    await testHub.patchStatus('applicationSets', named('shop'), {
      resources: [{ kind: 'Application', name: 'shop-one' }],
    });
    await vanish('shop', ['one', 'two']);
    await waitFor(async () => (await works()).length === 2);
    await waitFor(async () => (await codes()).includes('AFC-123'));
    await passes();
    expect(await works('shop-one')).toHaveLength(1);
    await restart({ successorMs: 1 });
    await waitFor(async () => (await works('shop-one')).length === 0);
  });

  describe('of Applications that are no longer pull-model', () => {
    beforeEach(async () => {
      await start({ freezeMs: 1 });
      await createSet('shop', ALL);
      await unlabel('shop-one', 'shop-two', 'shop-three');
      await waitFor(async () =>
        (await works()).every(
          ({ spec }) =>
            spec.manifestConfigs?.[0].updateStrategy?.type === 'ReadOnly',
        ),
      );
    });

    it('are frozen, and deliver again when the label is back', async () => {
      expect(await codes()).toEqual(['AFC-121', 'AFC-121', 'AFC-121']);
      await admin.patch('applications', named('shop-one'), {
        metadata: { labels: { [PULL_LABEL]: 'true' } },
      });
      await waitFor(async () => {
        const [work] = await works('shop-one');
        return (
          work.spec.manifestConfigs?.[0].updateStrategy?.type ===
          'ServerSideApply'
        );
      });
      await waitFor(async () => (await codes()).length === 2);
    });

    it('are frozen more and more rarely where another writer undoes it', async () => {
      const frozen = async () => {
        const [work] = await works('shop-one');
        const [config] = work.spec.manifestConfigs ?? [];
        return config.updateStrategy?.type === 'ReadOnly' && work;
      };
      let undone = 0;
      const undo = async () => {
        const work = await frozen();
        if (work) {
          undone += 1;
          const manifestConfigs = work.spec.manifestConfigs!.map(config => ({
            ...config,
            updateStrategy: { type: 'CreateOnly' as const },
          }));
          await admin.patch('works', work.metadata, {
            metadata: { annotations: { [FROZEN_ANNOTATION]: null } },
            spec: { manifestConfigs },
          });
        }
        return (await codes()).includes('AFC-131');
      };
      await waitFor(undo);
      expect(undone).toBeLessThanOrEqual(4);
    });

    it('keep their places on the clusters', async () => {
      await admin.create(
        'applications',
        pullApplication('shop-one', 'one', {
          namespace: 'one',
          annotations: {
            [MANAGED_CLUSTER_ANNOTATION]: 'one',
            'apps.open-cluster-management.io/ocm-managed-cluster-app-namespace':
              NAMESPACE,
          },
        }),
      );
      await waitFor(async () =>
        (await codes()).some(code => ['AFC-111', 'AFC-104'].includes(code)),
      );
      await passes();
      expect(await works('shop-one')).toHaveLength(1);
    });

    it('go when that is ordered', async () => {
      await annotate('remove');
      await waitFor(async () => (await works()).length === 0);
      expect(await admin.list('applications')).toHaveLength(3);
    });

    it.each([
      ['orphan', 'Applied'],
      ['hand-over', 'ApplicationHandedOver'],
    ])('are released as %s', async (release, condition) => {
      await annotate(release);
      await waitFor(async () =>
        (await works()).every(
          ({ metadata }) =>
            metadata.annotations?.['argocd-fleet/releasing'] === release,
        ),
      );
      await passes(3);
      const released = await works();
      expect(released).toHaveLength(3);
      expect(await codes()).toEqual(['AFC-124', 'AFC-124', 'AFC-124']);
      // The last one is away.
      for (const work of released.slice(1)) {
        await testHub.patchStatus(
          'works',
          work.metadata,
          syncedStatus(work, condition === 'Applied' ? [] : [condition]),
        );
      }
      await waitFor(async () => (await works()).length === 1);
      await passes(3);
      expect(await works()).toHaveLength(1);
    });

    it('do not follow an order for works of before', async () => {
      await annotate('remove');
      await waitFor(async () => (await works()).length === 0);
      for (const cluster of ALL) {
        await admin.patch('applications', named(`shop-${cluster}`), {
          metadata: { labels: { [PULL_LABEL]: 'true' } },
        });
      }
      await waitFor(async () => (await works()).length === 3);
      await restart({ freezeMs: 1 });
      await unlabel('shop-one');
      await waitFor(async () => (await codes()).includes('AFC-121'));
      await passes(3);
      expect(await works()).toHaveLength(3);
      // Once more, it holds for those that exist now.
      await annotate(null);
      await passes();
      await annotate('remove');
      await waitFor(async () => (await works()).length === 2);
    });
  });

  it('do not follow an order that was given before they existed', async () => {
    await start();
    await admin.create('applicationSets', pullApplicationSet('shop'));
    await annotate('remove');
    await passes();
    await generate('shop', ALL);
    await unlabel('shop-one');
    await waitFor(async () => (await codes()).includes('AFC-121'));
    await passes(3);
    expect(await works()).toHaveLength(3);
  });

  describe('that somebody else froze', () => {
    beforeEach(async () => {
      await start();
      await createSet('shop', ALL);
      await backend?.stop();
      for (const { metadata, spec } of await works()) {
        await admin.patch('works', metadata, {
          spec: {
            manifestConfigs: spec.manifestConfigs!.map(config => ({
              ...config,
              updateStrategy: { type: 'ReadOnly' },
            })),
          },
        });
      }
      await start({ successorMs: 1 });
    });

    it.each<[string, () => Promise<void>]>([
      [
        'is recreated',
        async () => {
          await vanish('shop', ['one']);
          const set = await admin.get('applicationSets', named('shop'));
          await admin.create(
            'applications',
            pullApplication('shop-one', 'one', ownedBy(set)),
          );
        },
      ],
      [
        'is retargeted',
        () =>
          admin.patch('applications', named('shop-one'), {
            metadata: { annotations: { [MANAGED_CLUSTER_ANNOTATION]: 'four' } },
          }),
      ],
      ['is no longer pull-model', () => unlabel('shop-one')],
      ['is deleted', () => vanish('shop', ['one'])],
      [
        'is deleted with a finalizer',
        async () => {
          await admin.patch('applications', named('shop-one'), {
            metadata: { finalizers: [FINALIZER] },
          });
          await vanish('shop', ['one']);
          await waitFor(
            async () =>
              (await admin.get('applications', named('shop-one'))) ===
              undefined,
          );
        },
      ],
      [
        'goes with its set',
        async () => {
          await admin.delete('applicationSets', named('shop'));
          await vanish('shop', ['one']).catch(() => {});
        },
      ],
    ])('stays where its Application %s', async (_, change) => {
      await passes();
      const [{ metadata }] = await works('shop-one');
      await change();
      await waitFor(async () => (await codes()).includes('AFC-122'));
      for (const each of await works('shop-one')) {
        if (each.metadata.uid !== metadata.uid) {
          await reportSynced(testHub, each.metadata);
        }
      }
      await passes(3);
      expect(
        (await works('shop-one')).map(each => each.metadata.uid),
      ).toContain(metadata.uid);
    });
  });

  it('are new wishes when a reason to withhold them ends', async () => {
    await start();
    await createSet('shop', ALL);
    await restart({}, {}, 'observe');
    await vanish('shop', ALL);
    await waitFor(async () => (await codes()).includes('AFC-420'));
    await passes();
    await restart();
    await waitFor(async () => (await codes()).includes('AFC-126'));
    await passes();
    expect(await works()).toHaveLength(3);
  });

  it('go where their cluster is gone', async () => {
    await start({ batchMs: 3_600_000 });
    await createSet('shop', ALL);
    for (const cluster of ALL) {
      await admin.delete('clusters', { name: cluster });
    }
    await vanish('shop', ALL);
    await waitFor(async () => (await works()).length === 0);
    expect(await codes()).not.toContain('AFC-126');
  });
});
