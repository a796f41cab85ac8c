import type {
  ArgoApplication,
  ArgoApplicationSet,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import type { EmbeddedHub } from 'embedded-hub';
import { waitFor } from '../../../__testUtils__/waitFor';
import { createClustersOnHub } from './clustersOnHub';
import type { HubContents } from './expectedWorks';
import { applicationFor, applicationSetFor } from './fleetManifests';
import { APPLICATIONS, CLUSTERS, type FleetEvent } from './history';
import { createHubApi } from './hubApi';
import { createWorksOnHub } from './worksOnHub';
import { recordState, type Timeline } from './wrongDeletions';

const OCM = 'apps.open-cluster-management.io';
const ARGO = '/apis/argoproj.io/v1alpha1';

/** Names of a fleet's objects. */
export interface FleetLayout {
  readonly applications: readonly NamespacedName[];
  /** The cluster `hub` is the hub itself. */
  readonly clusters: readonly string[];
  /** Clusters that every namespace may deliver to at first. */
  readonly decided: readonly string[];
}

const SMALL_FLEET: FleetLayout = {
  applications: APPLICATIONS,
  clusters: CLUSTERS,
  decided: ['one', 'two', 'hub'],
};

/** Applies a history to a hub as users, agents and other controllers do. */
export interface FleetOnHub {
  /** The states of each Application, by index in the hub's request log. */
  readonly timeline: Timeline;
  /** Creates namespaces, clusters and, in each namespace of Applications, a decision for the `decided` clusters. */
  prepare(): Promise<void>;
  apply(event: FleetEvent): Promise<void>;
  contents(): Promise<HubContents>;
  /** Lets the agents finish pending deletions of works, and report about the others. */
  letAgentsWork(): Promise<void>;
}

/** Uses a hub that is empty or prepared. */
export function createFleetOnHub(
  hub: EmbeddedHub,
  layout: FleetLayout = SMALL_FLEET,
): FleetOnHub {
  const { applications, clusters, decided } = layout;
  const namespaces = [...new Set(applications.map(each => each.namespace))];
  const api = createHubApi(hub.url);
  const timeline: Timeline = {
    applications: new Map(),
    everLocal: new Set(['hub']),
    everGone: new Set(),
    everDecided: new Set(
      namespaces.flatMap(namespace =>
        decided.map(cluster => `${namespace}/${cluster}`),
      ),
    ),
  };

  const works = createWorksOnHub(api);
  const clustersOnHub = createClustersOnHub(api, timeline);

  function pathOf(index: number): string {
    const { namespace, name } = applications[index];
    return `${ARGO}/namespaces/${namespace}/applications/${name}`;
  }

  async function recordNow(index: number, from: number) {
    const { namespace, name } = applications[index];
    const until = hub.requests.length;
    const now = await api.get<ArgoApplication>(pathOf(index));
    recordState(timeline, `${namespace}/${name}`, from, until, now);
  }

  /** Runs a change of an Application and records its new state. */
  async function recording(index: number, act: () => Promise<unknown>) {
    const from = hub.requests.length;
    await act();
    await recordNow(index, from);
  }

  async function createApplication(
    index: number,
    cluster: string,
    finalizer: boolean,
  ) {
    const { namespace, name } = applications[index];
    await api.create(
      `${ARGO}/namespaces/${namespace}/applications`,
      applicationFor({ namespace, name }, cluster, finalizer),
    );
  }

  function patchApplication(index: number, patch: object) {
    return recording(index, () => api.patch(pathOf(index), patch));
  }

  async function setOwner(index: number, set: string | undefined) {
    const { namespace } = applications[index];
    if (!set) {
      await patchApplication(index, { metadata: { ownerReferences: null } });
      return;
    }
    const sets = `${ARGO}/namespaces/${namespace}/applicationsets`;
    await api.create(sets, applicationSetFor({ namespace, name: set }));
    const owner = await api.get<ArgoApplicationSet>(`${sets}/${set}`);
    await patchApplication(index, {
      metadata: {
        ownerReferences: [
          {
            apiVersion: 'argoproj.io/v1alpha1',
            kind: 'ApplicationSet',
            name: set,
            uid: owner?.metadata.uid,
          },
        ],
      },
    });
  }

  /** Deletes an ApplicationSet with its Applications, or without them as `--cascade=orphan` does. */
  async function deleteSet(namespace: string, name: string, orphan: boolean) {
    const from = hub.requests.length;
    const path = `${ARGO}/namespaces/${namespace}/applicationsets/${name}`;
    const set = await api.get(path);
    if (!set) {
      return;
    }
    await api.delete(path, {
      propagationPolicy: orphan ? 'Orphan' : 'Background',
    });
    const ownedPath = `${ARGO}/namespaces/${namespace}/applications`;
    await waitFor(async () => {
      const left = await api.list<ArgoApplication>(ownedPath);
      return !left.some(
        ({ metadata }) =>
          !metadata.deletionTimestamp &&
          metadata.ownerReferences?.some(({ uid }) => uid === set.metadata.uid),
      );
    });
    for (const [index, application] of applications.entries()) {
      if (application.namespace === namespace) {
        await recordNow(index, from);
      }
    }
  }

  async function apply(event: FleetEvent): Promise<void> {
    switch (event.type) {
      case 'apply':
        await recording(event.app, () =>
          createApplication(event.app, event.cluster, event.finalizer),
        );
        return;
      case 'recreate':
        await recording(event.app, async () => {
          await api.patch(pathOf(event.app), {
            metadata: { finalizers: null },
          });
          await api.delete(pathOf(event.app));
        });
        await recording(event.app, () =>
          createApplication(event.app, event.cluster, event.finalizer),
        );
        return;
      case 'delete':
        await recording(event.app, () => api.delete(pathOf(event.app)));
        return;
      case 'changeSpec':
        await patchApplication(event.app, {
          spec: { source: { targetRevision: event.to } },
        });
        return;
      case 'label':
      case 'unlabel':
        await patchApplication(event.app, {
          metadata: {
            labels: {
              [`${OCM}/pull-to-ocm-managed-cluster`]:
                event.type === 'label' ? event.to : null,
            },
          },
        });
        return;
      case 'retarget':
        await patchApplication(event.app, {
          metadata: {
            annotations: { [`${OCM}/ocm-managed-cluster`]: event.to },
          },
        });
        return;
      case 'setAppNamespace':
        await patchApplication(event.app, {
          metadata: {
            annotations: {
              [`${OCM}/ocm-managed-cluster-app-namespace`]: event.to,
            },
          },
        });
        return;
      case 'startSync':
        await patchApplication(event.app, {
          operation: { sync: { revision: 'v1' } },
        });
        return;
      case 'refresh':
        await patchApplication(event.app, {
          metadata: { annotations: { 'argocd.argoproj.io/refresh': 'hard' } },
        });
        return;
      case 'setOwner':
        await setOwner(event.app, event.by);
        return;
      case 'deleteSet':
        await deleteSet(event.namespace, event.set, event.orphan);
        return;
      case 'decide':
        await clustersOnHub.decide(event.namespace, event.slot, event.clusters);
        return;
      case 'deleteDecision':
        await clustersOnHub.deleteDecision(event.namespace, event.slot);
        return;
      case 'cluster':
        await clustersOnHub.put(event.cluster, event.to);
        return;
      case 'overwriteWork':
        await works.overwrite(event.work, event.how);
        return;
      case 'agent':
        await works.setAgentFinalizers(event.how);
        return;
      default:
        throw new Error(`${event.type} is not a change of the hub`);
    }
  }

  async function prepare() {
    for (const name of [...namespaces, ...clusters]) {
      await api.create('/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name },
      });
    }
    for (const cluster of clusters) {
      await clustersOnHub.put(cluster, cluster === 'hub' ? 'local' : 'there');
    }
    for (const namespace of namespaces) {
      await clustersOnHub.decide(namespace, 0, decided);
    }
  }

  return {
    timeline,
    prepare,
    apply,
    contents: async () => ({
      applications: await api.list(`${ARGO}/applications`),
      works: await works.list(),
      clusters: await clustersOnHub.listClusters(),
      decisions: await clustersOnHub.listDecisions(),
    }),
    async letAgentsWork() {
      await works.setAgentFinalizers('release');
      await works.report();
    },
  };
}
