import type { TestBackend } from '@backstage/backend-test-utils';
import {
  RELEASE_ANNOTATION,
  type ApplicationSetRows,
  type ArgoApplication,
  type DeliveryStep,
  type Finding,
  type KubernetesObject,
  type ManifestWork,
  type TransitionPage,
} from 'backstage-plugin-argocd-fleet-common';
import { startSimulatedFleet, type SimulatedFleet } from 'simulated-fleet';
import request, { type Response } from 'supertest';
import { deployedRbacWriting } from '../../../__testUtils__/deployedRbac';
import { EXAMPLE_SET } from '../../../__testUtils__/exampleFleet';
import {
  getControllers,
  oneHub,
  startFleetBackend,
  WRITES,
} from '../../../__testUtils__/fleetBackend';
import {
  HAS_GARBAGE_COLLECTOR,
  startTestHub,
  type TestHub,
} from '../../../__testUtils__/hubFixture';
import { waitFor } from '../../../__testUtils__/waitFor';
import { openSqliteService } from '../../../__testUtils__/sqliteService';
import { hubApplicationOf } from '../../../model/delivery';
import {
  CLUSTERS,
  movingScenario,
  type MovingScenarioOptions,
} from './scenario';

export { CLUSTERS };

/** Namespace of the Applications, on the hub and on the clusters. */
export const NAMESPACE = EXAMPLE_SET.namespace;

/** What Argo CD deploys for one Application on one cluster. */
const WORKLOAD = ['Deployment', 'Service'];

/** An ApplicationSet and its Applications, as a backup tool stores them: without UIDs and statuses. */
export interface Backup {
  readonly applicationSet: KubernetesObject;
  /** UID of the ApplicationSet, which the Applications still name. */
  readonly uid: string;
  readonly applications: readonly ArgoApplication[];
}

/** An ApplicationSet of the fleet, with what its Applications run on the clusters. */
export interface MovingSet {
  readonly name: string;
  /** Clusters without its workload at any time since the fleet was complete, in the order in which they lost it. */
  lost(): readonly string[];
  /** Whether the cluster has its whole workload. */
  runs(cluster: string): boolean;
  /** Whether the cluster has nothing of its workload. */
  isGoneFrom(cluster: string): boolean;
  applications(): Promise<readonly ArgoApplication[]>;
  works(): Promise<readonly ManifestWork[]>;
  /** UIDs of its works, sorted. */
  workUids(): Promise<readonly string[]>;
  /** The Application on a cluster. */
  applicationOn(cluster: string, namespace?: string): object | undefined;
  findings(): Promise<readonly Finding[]>;
  codes(): Promise<readonly string[]>;
  /** Clusters on which the API shows an Application of it. */
  clustersShown(): Promise<readonly string[]>;
  /** The steps of the path of an Application, each as `<id> <state> <code of its finding>`. */
  steps(cluster: string): Promise<readonly string[]>;
  /** The last error in the timeline of an Application. */
  lastError(cluster: string): Promise<string>;
  patch(patch: object): Promise<void>;
  /** Orders a release by the annotation. */
  order(release: string): Promise<void>;
  /** Deletes the ApplicationSet, as `kubectl delete` does. */
  remove(): Promise<void>;
}

/** A hub with a fleet of agents and Argo CDs, on which all ApplicationSets run. */
export interface MovingFleet {
  readonly testHub: TestHub;
  readonly clusters: SimulatedFleet['clusters'];
  set(name: string): MovingSet;
  /** Clusters of those of the works whose deletion the backend has requested, in the order of the requests. */
  deletedWorks(works: readonly ManifestWork[]): readonly string[];
  /** Sends a request to the API of the backend. */
  send(
    method: 'delete' | 'get' | 'put',
    path: string,
    body?: object,
  ): Promise<Pick<Response, 'status' | 'body'>>;
  /** Codes of the findings of propagation on the whole hub. */
  hubCodes(): Promise<readonly string[]>;
  /** Resolves after so many full passes of propagation. */
  pass(count: number): Promise<void>;
  backUp(set: string): Promise<Backup>;
  stopBackend(): Promise<void>;
  /** @param database - `new`: of a portal that knows nothing of the hub */
  startBackend(database: 'new' | 'old'): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a hub, the fleet and the backend, and waits until every ApplicationSet runs and nothing is wrong. */
export async function startMovingFleet(
  names: readonly string[],
  options?: MovingScenarioOptions,
): Promise<MovingFleet> {
  const testHub = await startTestHub({ rbac: deployedRbacWriting(NAMESPACE) });
  const { admin } = testHub;
  const fleet = await startSimulatedFleet({
    kubeconfig: { path: testHub.adminKubeconfigPath },
    scenario: movingScenario(names, options),
    speed: 20,
  });
  let database = openSqliteService();
  let backend: TestBackend | undefined;
  const lost = new Map<string, string[]>();

  async function startBackend() {
    backend = await startFleetBackend({
      argocdFleet: oneHub(
        testHub.kubeconfigPath,
        {
          controllers: { propagation: { fullPassEvery: '500ms' } },
          propagation: {
            appNamespaces: { [NAMESPACE]: [NAMESPACE, 'argocd'] },
          },
        },
        { writes: [{ ...WRITES, namespaces: [NAMESPACE] }] },
      ),
      database: database.service,
      plugin: {
        removalTimes: { batchMs: 1_000, freezeMs: 500, successorMs: 3_000 },
        removalStateEveryMs: 250,
      },
    });
  }

  async function stopBackend() {
    await backend?.stop();
    backend = undefined;
  }

  function workloadOf(set: string, cluster: string): string[] {
    return fleet.clusters
      .get(cluster)!
      .workloads.list()
      .filter(({ namespace }) => namespace === set)
      .map(({ kind }) => kind)
      .sort();
  }

  const runs = (set: string, cluster: string) =>
    workloadOf(set, cluster).join() === WORKLOAD.join();

  /** Sees each loss, however short. */
  function watchWorkloads() {
    for (const cluster of CLUSTERS) {
      const { workloads } = fleet.clusters.get(cluster)!;
      const note = () => {
        for (const set of names.filter(name => !runs(name, cluster))) {
          const clusters = lost.get(set) ?? [];
          lost.set(set, [...new Set([...clusters, cluster])]);
        }
      };
      const { delete: deleteWorkload, update } = workloads;
      jest.spyOn(workloads, 'delete').mockImplementation(application => {
        deleteWorkload(application);
        note();
      });
      jest
        .spyOn(workloads, 'update')
        .mockImplementation((application, status) => {
          update(application, status);
          note();
        });
    }
  }

  function movingSet(name: string): MovingSet {
    const suffix = `-${name}`;
    async function getBody(path: string) {
      const { body } = await request(backend!.server).get(
        `/api/argocd-fleet/${path}`,
      );
      return body;
    }
    const setPath = `applicationsets/hub/${NAMESPACE}/${name}`;
    const applicationPath = (cluster: string) =>
      `applications/hub/${NAMESPACE}/${cluster}${suffix}`;
    const findings = async (): Promise<readonly Finding[]> =>
      (await getBody(setPath)).findings ?? [];
    const works = async () =>
      (await admin.list('works')).filter(work =>
        hubApplicationOf(work)?.name.endsWith(suffix),
      );
    const applications = async () =>
      (await admin.list('applications')).filter(({ metadata }) =>
        metadata.name.endsWith(suffix),
      );
    const patch = (change: object) =>
      admin.patch(
        'applicationSets',
        { namespace: NAMESPACE, name },
        { ...change },
      );
    return {
      name,
      lost: () => lost.get(name) ?? [],
      runs: cluster => runs(name, cluster),
      isGoneFrom: cluster => workloadOf(name, cluster).length === 0,
      applications,
      works,
      workUids: async () =>
        (await works()).map(({ metadata }) => metadata.uid!).sort(),
      applicationOn: (cluster, namespace = NAMESPACE) =>
        fleet.clusters.get(cluster)!.store.get({
          group: 'argoproj.io',
          resource: 'applications',
          namespace,
          name: `${cluster}${suffix}`,
        }),
      findings,
      codes: async () => (await findings()).map(({ code }) => code),
      async clustersShown() {
        const rows: ApplicationSetRows = await getBody(`${setPath}/rows`);
        return rows.applications.map(({ cluster }) => cluster.name);
      },
      async steps(cluster) {
        const { steps } = await getBody(applicationPath(cluster));
        return steps.map(({ id, state, finding }: DeliveryStep) =>
          [id, state, ...(finding ? [finding.code] : [])].join(' '),
        );
      },
      async lastError(cluster) {
        const { items }: TransitionPage = await getBody(
          `${applicationPath(cluster)}/transitions`,
        );
        return items[0]?.error ?? '';
      },
      patch,
      order: release =>
        patch({ metadata: { annotations: { [RELEASE_ANNOTATION]: release } } }),
      async remove() {
        await admin.delete('applicationSets', { namespace: NAMESPACE, name });
        if (!HAS_GARBAGE_COLLECTOR) {
          for (const { metadata } of await applications()) {
            await admin.delete('applications', metadata);
          }
        }
      },
    };
  }

  async function propagation() {
    const { items } = await getControllers(backend!);
    return items.find(({ controller }) => controller === 'propagation')!;
  }

  async function stop() {
    await stopBackend();
    await database.close();
    await fleet.stop();
    await testHub.stop();
  }

  try {
    await Promise.all([fleet.ready, startBackend()]);
    for (const set of names.map(movingSet)) {
      await waitFor(() => CLUSTERS.every(set.runs));
      await waitFor(async () => (await set.codes()).length === 0);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  watchWorkloads();

  return {
    testHub,
    clusters: fleet.clusters,
    set: movingSet,
    deletedWorks(works) {
      const clusters = new Map(
        works.map(({ metadata: { namespace = '', name } }) => [
          `delete manifestworks ${namespace} ${name}`,
          namespace,
        ]),
      );
      return testHub
        .writes()
        .flatMap(write => clusters.get(write) ?? [])
        .filter((cluster, index, all) => all.indexOf(cluster) === index);
    },
    send: (method, path, body) =>
      request(backend!.server)[method](`/api/argocd-fleet${path}`).send(body),
    hubCodes: async () =>
      (await propagation()).findings.map(({ code }) => code),
    async pass(count) {
      for (let passed = 0; passed < count; passed += 1) {
        const { lastPassAt } = await propagation();
        await waitFor(
          async () => (await propagation()).lastPassAt !== lastPassAt,
        );
      }
    },
    async backUp(name) {
      const set = await admin.get('applicationSets', {
        namespace: NAMESPACE,
        name,
      });
      const applications = await movingSet(name).applications();
      return {
        applicationSet: stored(set!),
        uid: set!.metadata.uid!,
        applications: applications.map(stored),
      };
    },
    stopBackend,
    async startBackend(which) {
      if (which === 'new') {
        await database.close();
        database = openSqliteService();
      }
      await startBackend();
    },
    stop,
  };
}

/** An object as a backup tool stores it. */
function stored<T extends KubernetesObject & { readonly spec?: unknown }>({
  apiVersion,
  kind,
  metadata,
  spec,
}: T): T {
  const { namespace, name, labels, annotations, finalizers, ownerReferences } =
    metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      ...{ namespace, name, labels, annotations },
      ...{ finalizers, ownerReferences },
    },
    spec,
  } as T;
}
