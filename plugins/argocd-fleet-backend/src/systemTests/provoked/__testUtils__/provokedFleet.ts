import type { TestBackend } from '@backstage/backend-test-utils';
import {
  APP_NAMESPACE_ANNOTATION,
  type ArgoApplication,
  type ClusterApplication,
  type Finding,
  type KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import request from 'supertest';
import { oneHub, startFleetBackend } from '../../../__testUtils__/fleetBackend';
import {
  provideDecidedClusters,
  startTestHub,
  type TestHub,
} from '../../../__testUtils__/hubFixture';
import {
  namespace,
  NAMESPACE,
  ownedBy,
  pullApplication,
  pullApplicationSet,
} from '../../../__testUtils__/objects';
import { IN_CLUSTER_SERVER } from '../../../model/delivery';
import { ARGOCD, startArgoCd, type ArgoCd } from './argoCd';
import { INSTALLATION } from './installation';
import { startClusterAgent } from './clusterAgent';
import { clusterApi, type ClusterApi } from './clusterApi';
import type { Failure } from './failure';
import { startSources, type Sources } from './sources';

const CLUSTER = 'edge';
const SET = 'provoked';

/** A hub and a managed cluster with Argo CD, where Applications fail. */
export interface ProvokedFleet {
  readonly argoCd: ArgoCd;
  readonly cluster: ClusterApi;
  readonly sources: Sources;
  /** The Application on the cluster. */
  application(name: string): Promise<ArgoApplication | undefined>;
  /** What the portal says of an Application. */
  findings(name: string): Promise<readonly Finding[]>;
  /** What the portal says of the whole cluster. */
  clusterFindings(name: string): Promise<readonly Finding[]>;
  /** Requests a sync on the hub. */
  sync(name: string): Promise<void>;
  /** Rejects with why a failure could not go on. */
  gone(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** Provides the cluster on the hub, with an agent that reports. */
async function provideManagedCluster(testHub: TestHub) {
  await provideDecidedClusters(testHub, [CLUSTER]);
  await testHub.patchStatus(
    'clusters',
    { name: CLUSTER },
    {
      conditions: [
        {
          ...{ type: 'ManagedClusterConditionAvailable', status: 'True' },
          ...{ reason: 'ManagedClusterAvailable', message: '' },
          lastTransitionTime: new Date().toISOString(),
        },
      ],
    },
  );
}

/** Provides on the cluster, and in the repository, what is there before the first Application. */
async function provideInstallation(
  cluster: ClusterApi,
  sources: Sources,
  failures: readonly Failure[],
) {
  await cluster.empty();
  for (const object of INSTALLATION) {
    await cluster.apply(object);
  }
  for (const { name, before } of failures) {
    await cluster.apply(namespace(name));
    for (const { status, ...object } of before?.(sources) ?? []) {
      await cluster.apply(object);
      if (status) {
        await cluster.report({ ...object, status });
      }
    }
  }
  const files = failures.flatMap(({ name, files: own = {} }) =>
    Object.entries(own).map(([path, content]) => [`${name}/${path}`, content]),
  );
  sources.commit({ 'README.md': '', ...Object.fromEntries(files) });
}

/** The Application on the hub. */
function applicationOf(
  { name, annotations, spec }: Failure,
  set: KubernetesObject | undefined,
  sources: Sources,
): ArgoApplication {
  const { metadata, ...rest } = pullApplication(name, CLUSTER, {
    ...ownedBy(set),
    finalizers: ['resources-finalizer.argocd.argoproj.io'],
  });
  return {
    ...rest,
    metadata: {
      ...metadata,
      annotations: {
        ...metadata.annotations,
        ...annotations,
        [APP_NAMESPACE_ANNOTATION]: ARGOCD,
      },
    },
    spec: {
      project: 'default',
      source: {
        repoURL: sources.repository,
        path: name,
        targetRevision: 'main',
      },
      destination: { server: IN_CLUSTER_SERVER, namespace: name },
      syncPolicy: {
        automated: { prune: true, selfHeal: true },
        retry: { limit: 1, backoff: { duration: '1s' } },
      },
      ...spec?.(sources),
    },
  };
}

/** Makes all Applications fail at once. */
export async function startProvokedFleet(options: {
  readonly argocd: string;
  readonly redis: string;
  /** Only for failures that need it. */
  readonly tools: string | undefined;
  readonly clusterKubeconfigPath: string;
  readonly failures: readonly Failure[];
}): Promise<ProvokedFleet> {
  const { clusterKubeconfigPath, failures } = options;
  const testHub = await startTestHub();
  const { admin } = testHub;
  const cluster = clusterApi(clusterKubeconfigPath, 'work-agent');
  const sources = await startSources();

  await provideManagedCluster(testHub);
  await provideInstallation(cluster, sources, failures);
  const argoCd = await startArgoCd({
    binary: options.argocd,
    redis: options.redis,
    tools: options.tools,
    kubeconfigPath: clusterKubeconfigPath,
    knownHosts: sources.knownHosts,
  });
  const agent = startClusterAgent({
    hub: admin.client,
    ...{ cluster, name: CLUSTER },
  });
  const backend: TestBackend = await startFleetBackend({
    argocdFleet: oneHub(testHub.kubeconfigPath, {
      propagation: { appNamespaces: { [NAMESPACE]: [ARGOCD] } },
    }),
  });
  await admin.create('applicationSets', pullApplicationSet(SET));
  const set = await admin.get('applicationSets', {
    namespace: NAMESPACE,
    name: SET,
  });
  for (const failure of failures) {
    await admin.create('applications', applicationOf(failure, set, sources));
  }
  const application = (name: string) =>
    cluster.read<ArgoApplication>({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { namespace: ARGOCD, name },
    });
  const sync = (name: string) =>
    admin.patch(
      'applications',
      { namespace: NAMESPACE, name },
      { operation: { initiatedBy: { username: 'rita' }, sync: {} } },
    );
  const going = new Map(
    failures.map(({ name, then }) => {
      const end = then?.({
        ...{ cluster, sources },
        sync: () => sync(name),
        application: () => application(name),
      });
      // `gone` throws it.
      end?.catch(() => {});
      return [name, end];
    }),
  );

  async function view(name: string): Promise<ClusterApplication> {
    const { body } = await request(backend.server).get(
      `/api/argocd-fleet/applications/hub/${NAMESPACE}/${name}`,
    );
    return body;
  }

  return {
    argoCd,
    cluster,
    sources,
    application,
    sync,
    async findings(name) {
      const { steps } = await view(name);
      return steps.flatMap(({ finding }) => finding ?? []);
    },
    clusterFindings: async name => (await view(name)).clusterFindings ?? [],
    gone: async name => going.get(name),
    async stop() {
      await backend.stop();
      await agent.stop();
      await argoCd.stop();
      await sources.stop();
      await cluster.close();
      await testHub.stop();
    },
  };
}
