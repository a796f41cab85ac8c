import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestBackend } from '@backstage/backend-test-utils';
import {
  APP_NAMESPACE_ANNOTATION,
  MANAGED_CLUSTER_ANNOTATION,
  PULL_LABEL,
  RELEASE_ANNOTATION,
  type ArgoApplication,
  type KubernetesObject,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { CRDS, emptyHub } from '../__testUtils__/emptyHub';
import {
  getControllers,
  oneHub,
  startFleetBackend,
} from '../__testUtils__/fleetBackend';
import {
  adminClientWith,
  clientOf,
  HAS_GARBAGE_COLLECTOR,
  NAMESPACES,
  provideDecidedClusters,
  startTestHub,
  type AdminClient,
  type TestHub,
} from '../__testUtils__/hubFixture';
import {
  appliedWorkDefinition,
  namespace,
  NAMESPACE,
  ownedBy,
  pullApplication,
  pullApplicationSet,
} from '../__testUtils__/objects';
import { realServer } from '../__testUtils__/realServer';
import { waitFor } from '../__testUtils__/waitFor';
import {
  isKubernetesError,
  type KubernetesClient,
  type ResourceType,
} from '../kubernetes/client';
import { hubApplicationOf } from '../model/delivery';
import { isApplied } from '../model/feedback';
import {
  startClusterArgoCd,
  type ClusterArgoCd,
} from './__testUtils__/clusterArgoCd';
import type { Program } from './__testUtils__/program';
import { startWorkAgent } from './__testUtils__/workAgent';

const BINARY = process.env.ARGOCD_FLEET_OCM_WORK_AGENT;
/** The API servers of managed clusters, in a list. */
const SERVERS = process.env.ARGOCD_FLEET_TEST_CLUSTER_KUBECONFIG?.split(',');
/** Each cluster with the number of its API server: none has two Applications of one name at a time. */
const CLUSTERS = { one: 0, two: 1, three: 1 };
const NAMES = Object.keys(CLUSTERS) as (keyof typeof CLUSTERS)[];
const SET = { namespace: NAMESPACE, name: 'shop' };
const FINALIZERS = ['resources-finalizer.argocd.argoproj.io'];
const OTHER_NAMESPACE = 'elsewhere';

const nameOn = (cluster: string) => `${SET.name}-${cluster}`;

// Agents start, and report once a second.
jest.setTimeout(120_000);

/**
 * The ways in and out with OCM's own work agents. The ApplicationSet controller and the Argo CDs of the clusters are
 * played. The agent is another project's program, which nothing here builds: without it, this suite is reported as
 * skipped.
 */
(BINARY && SERVERS ? describe : describe.skip)(
  'with OCM’s work agent (`ARGOCD_FLEET_OCM_WORK_AGENT`: path of its program, for `npm run test:real-hub`)',
  () => {
    let folder: string;
    let testHub: TestHub;
    let admin: AdminClient;
    let clusters: AdminClient[];
    let argoCds: ClusterArgoCd[];
    let agents: Program[];
    let backend: TestBackend | undefined;

    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'argocd-fleet-agents-'));
    });

    afterAll(() => {
      rmSync(folder, { recursive: true });
    });

    beforeEach(async () => {
      testHub = await startTestHub();
      ({ admin } = testHub);
      await provideDecidedClusters(testHub, NAMES);
      clusters = await Promise.all(SERVERS!.map(provideCluster));
      argoCds = clusters.map(({ client }) => startClusterArgoCd(client));
      agents = await startAgents();
      await admin.create('applicationSets', pullApplicationSet(SET.name));
      await generate();
      await start();
      await waitFor(isComplete);
    });

    afterEach(async () => {
      await backend?.stop();
      await stopAgents();
      await Promise.all(argoCds.map(argoCd => argoCd.stop()));
      await Promise.all(clusters.map(({ client }) => client.close()));
      await testHub.stop();
    });

    async function provideCluster(kubeconfig: string, index: number) {
      const client = clientOf(kubeconfig);
      await provide(client, CRDS, appliedWorkDefinition());
      await emptyHub(client, join(folder, `definitions-${index}.json`));
      for (const name of [NAMESPACE, OTHER_NAMESPACE]) {
        await provide(client, NAMESPACES, namespace(name));
      }
      return adminClientWith(client);
    }

    /** Creates an object that all tests use. */
    async function provide(
      client: KubernetesClient,
      resource: ResourceType,
      object: KubernetesObject,
    ) {
      await client.create(resource, object).catch(error => {
        if (!isKubernetesError(error, 'alreadyExists')) {
          throw error;
        }
      });
    }

    function startAgents(): Promise<Program[]> {
      return Promise.all(
        NAMES.map(cluster =>
          startWorkAgent({
            binary: BINARY!,
            cluster,
            hubKubeconfig: realServer()!.kubeconfigPath,
            clusterKubeconfig: SERVERS![CLUSTERS[cluster]],
          }),
        ),
      );
    }

    async function stopAgents() {
      await Promise.all(agents.map(agent => agent.stop()));
    }

    async function start() {
      backend = await startFleetBackend({
        argocdFleet: oneHub(testHub.kubeconfigPath, {
          controllers: { propagation: { fullPassEvery: '500ms' } },
          propagation: {
            appNamespaces: { [NAMESPACE]: [NAMESPACE, OTHER_NAMESPACE] },
          },
        }),
        plugin: {
          removalTimes: { batchMs: 1_500, freezeMs: 500, successorMs: 5_000 },
        },
      });
    }

    /** Makes the Applications, as Argo CD's controller does. */
    async function generate(clusterNames: readonly string[] = NAMES) {
      const set = await admin.get('applicationSets', SET);
      for (const cluster of clusterNames) {
        await admin.create(
          'applications',
          pullApplication(nameOn(cluster), cluster, {
            ...ownedBy(set),
            finalizers: FINALIZERS,
          }),
        );
      }
    }

    async function deleteApplications(clusterNames: readonly string[] = NAMES) {
      for (const cluster of clusterNames) {
        await admin
          .delete('applications', {
            namespace: NAMESPACE,
            name: nameOn(cluster),
          })
          .catch(error => {
            // The garbage collector was faster.
            if (!isKubernetesError(error, 'notFound', 'invalid')) {
              throw error;
            }
          });
      }
    }

    async function patchApplications(patch: object) {
      for (const cluster of NAMES) {
        await admin.patch(
          'applications',
          { namespace: NAMESPACE, name: nameOn(cluster) },
          { ...patch },
        );
      }
    }

    function label(value: string | null) {
      return patchApplications({
        metadata: { labels: { [PULL_LABEL]: value } },
      });
    }

    const works = () => admin.list('works');
    const uids = (of: readonly ManifestWork[]) =>
      of.map(({ metadata }) => metadata.uid);

    async function onClusters(): Promise<readonly ArgoApplication[]> {
      const lists = await Promise.all(
        clusters.map(cluster => cluster.list('applications')),
      );
      return lists.flat();
    }

    const runningOn = (cluster: keyof typeof CLUSTERS, of = cluster) =>
      argoCds[CLUSTERS[cluster]].running.has(nameOn(of));
    const running = () => NAMES.filter(name => runningOn(name));
    const lost = () => argoCds.flatMap(({ deleted }) => [...deleted]).sort();

    async function isComplete() {
      const delivered = await works();
      return (
        delivered.length === 3 &&
        running().length === 3 &&
        (await admin.list('applications')).every(
          ({ status }) => status?.sync?.status === 'Synced',
        )
      );
    }

    /** Resolves after two full passes of propagation: what it wants to delete now is deleted. */
    async function passes() {
      const lastPassAt = async () => {
        const { items } = await getControllers(backend!);
        return items.find(({ controller }) => controller === 'propagation')!
          .lastPassAt;
      };
      for (let passed = 0; passed < 2; passed += 1) {
        const last = await lastPassAt();
        await waitFor(async () => (await lastPassAt()) !== last);
      }
    }

    async function codes(): Promise<string[]> {
      const { items } = await getControllers(backend!);
      return items.flatMap(({ findings }) => findings.map(({ code }) => code));
    }

    const strategies = async () =>
      (await works()).map(
        ({ spec }) => spec.manifestConfigs?.[0].updateStrategy?.type,
      );
    const areAll = async (strategy: string) =>
      (await strategies()).every(type => type === strategy);

    it.each(['no', null])(
      'nothing changes while the pull label is %j, and when it is back',
      async value => {
        await label(value);
        await waitFor(() => areAll('ReadOnly'));
        await label('true');
        await waitFor(() => areAll('ServerSideApply'));
        await waitFor(isComplete);
        expect(lost()).toEqual([]);
      },
    );

    describe.each([
      ['after another controller froze the works', true],
      ['with works that nobody froze', false],
    ])('on the way out of the pull model, %s,', (_, isFrozen) => {
      beforeEach(async () => {
        if (isFrozen) {
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
        }
        await patchApplications({
          metadata: {
            labels: { [PULL_LABEL]: null },
            annotations: { [MANAGED_CLUSTER_ANNOTATION]: null },
          },
          spec: { destination: { server: null, name: 'anywhere' } },
        });
        await waitFor(() => areAll('ReadOnly'));
      });

      async function order(release: string) {
        await admin.patch('applicationSets', SET, {
          metadata: { annotations: { [RELEASE_ANNOTATION]: release } },
        });
        await waitFor(async () => (await works()).length === 0);
      }

      it('Applications and workloads stay for argocd-agent', async () => {
        await order('orphan');
        expect(await onClusters()).toHaveLength(3);
        expect(lost()).toEqual([]);
      });

      it('workloads stay for the push model', async () => {
        await order('hand-over');
        expect(await onClusters()).toEqual([]);
        expect(lost()).toEqual([]);
      });

      it('everything goes where that is ordered', async () => {
        await order('remove');
        expect(await onClusters()).toEqual([]);
        expect(running()).toEqual([]);
      });
    });

    it('everything stays after a restore with new UIDs until the new works are applied', async () => {
      const before = uids(await works());
      await backend!.stop();
      await stopAgents();
      await replaceAll();
      await start();
      await waitFor(async () => (await works()).length === 6);
      await passes();
      expect(uids(await works())).toEqual(expect.arrayContaining(before));
      agents = await startAgents();
      await waitFor(async () =>
        uids(await works()).every(uid => !before.includes(uid)),
      );
      await waitFor(isComplete);
      expect(lost()).toEqual([]);
    });

    /** Deletes set and Applications without their finalizers, and makes them again. */
    async function replaceAll() {
      await patchApplications({ metadata: { finalizers: null } });
      await admin.delete('applicationSets', SET);
      await deleteApplications();
      await waitFor(
        async () => (await admin.list('applications')).length === 0,
      );
      await admin.create('applicationSets', pullApplicationSet(SET.name));
      await generate();
    }

    it('everything stays when restored Applications are collected as garbage, because their owner was never here', async () => {
      await backend!.stop();
      await patchApplications({ metadata: { finalizers: null } });
      await patchApplications({
        metadata: ownedBy({
          apiVersion: 'argoproj.io/v1alpha1',
          kind: 'ApplicationSet',
          metadata: {
            name: SET.name,
            uid: '00000000-0000-4000-8000-000000000000',
          },
        }),
      });
      await start();
      if (!HAS_GARBAGE_COLLECTOR) {
        await deleteApplications();
      }
      await waitFor(
        async () => (await admin.list('applications')).length === 0,
      );
      await waitFor(async () => (await codes()).includes('AFC-126'));
      expect(await works()).toHaveLength(3);
      expect(lost()).toEqual([]);
    });

    it('everything stays when the set is deleted without its Applications and made again', async () => {
      const before = uids(await works());
      await patchApplications({ metadata: { ownerReferences: null } });
      await admin.delete('applicationSets', SET);
      await admin.create('applicationSets', pullApplicationSet(SET.name));
      const set = await admin.get('applicationSets', SET);
      await patchApplications({ metadata: ownedBy(set) });
      await waitFor(isComplete);
      expect(uids(await works())).toEqual(before);
      expect(lost()).toEqual([]);
    });

    it('an Application goes from one cluster to another one only after it runs there', async () => {
      await argoCds[1].stop();
      await admin.patch(
        'applications',
        { namespace: NAMESPACE, name: nameOn('one') },
        { metadata: { annotations: { [MANAGED_CLUSTER_ANNOTATION]: 'two' } } },
      );
      await waitFor(async () =>
        (await works()).some(
          work =>
            work.metadata.namespace === 'two' &&
            hubApplicationOf(work)?.name === nameOn('one') &&
            isApplied(work),
        ),
      );
      await passes();
      expect(await works()).toHaveLength(4);
      expect(runningOn('one')).toBe(true);
      argoCds[1] = startClusterArgoCd(clusters[1].client);
      await waitFor(() => runningOn('two', 'one') && !runningOn('one'));
      expect(lost()).toEqual([nameOn('one')]);
    });

    it('the workload runs all the time when the Application moves to another namespace', async () => {
      await patchApplications({
        metadata: {
          annotations: { [APP_NAMESPACE_ANNOTATION]: OTHER_NAMESPACE },
        },
      });
      await waitFor(async () => {
        const there = await onClusters();
        return (
          there.length === 3 &&
          there.every(
            ({ metadata }) => metadata.namespace === OTHER_NAMESPACE,
          ) &&
          (await works()).length === 3
        );
      });
      expect(lost()).toEqual([]);
    });

    it('everything stays when the Placement selects nothing any more, and goes on when it selects again', async () => {
      await deleteApplications();
      await waitFor(async () => (await codes()).includes('AFC-126'));
      expect(running()).toEqual(NAMES);
      await generate();
      await waitFor(isComplete);
      expect(lost()).toEqual([]);
    });

    it('everything goes with the only ApplicationSet', async () => {
      await admin.delete('applicationSets', SET);
      await deleteApplications();
      await waitFor(async () => (await works()).length === 0);
      expect(await onClusters()).toEqual([]);
      expect(running()).toEqual([]);
    });

    it('everything goes, one after the other, with a set whose Applications are deleted in order', async () => {
      await admin.patch('applicationSets', SET, {
        metadata: { finalizers: FINALIZERS },
      });
      await admin.delete('applicationSets', SET);
      for (const cluster of [...NAMES].reverse()) {
        expect(runningOn(cluster)).toBe(true);
        await deleteApplications([cluster]);
        await waitFor(() => !runningOn(cluster));
      }
      await admin.patch('applicationSets', SET, {
        metadata: { finalizers: null },
      });
      await waitFor(async () => (await works()).length === 0);
      expect(running()).toEqual([]);
    });

    it('nothing changes when an Application is deleted that its set makes again', async () => {
      await testHub.patchStatus('applicationSets', SET, {
        resources: NAMES.map(cluster => ({
          kind: 'Application',
          name: nameOn(cluster),
        })),
      });
      await waitFor(
        async () =>
          (await admin.get('applicationSets', SET))?.status !== undefined,
      );
      const before = uids(await works());
      await deleteApplications(['one']);
      await waitFor(
        async () => (await admin.list('applications')).length === 2,
      );
      await generate(['one']);
      await waitFor(isComplete);
      expect(
        uids(await works()).filter(uid => !before.includes(uid)),
      ).toHaveLength(1);
      expect(lost()).toEqual([]);
    });
  },
);
