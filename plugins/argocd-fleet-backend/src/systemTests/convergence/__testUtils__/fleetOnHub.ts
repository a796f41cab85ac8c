import type {
  ArgoApplication,
  ArgoApplicationSet,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import type { EmbeddedHub } from 'embedded-hub';
import { waitFor } from '../../../__testUtils__/waitFor';
import type { HubContents } from './expectedWorks';
import { applicationFor, applicationSetFor } from './fleetManifests';
import { APPLICATIONS, CLUSTERS, type Event } from './history';
import { createHubHands } from './hubHands';
import { createWorksOnHub } from './worksOnHub';
import { note, type Timeline } from './wrongDeletions';

const OCM = 'apps.open-cluster-management.io';
const CLUSTER_API =
  '/apis/cluster.open-cluster-management.io/v1/managedclusters';
const DECISION_API = '/apis/cluster.open-cluster-management.io/v1beta1';
const ARGO = '/apis/argoproj.io/v1alpha1';

/** What a fleet consists of. */
export interface FleetLayout {
  readonly applications: readonly NamespacedName[];
  /** The one that is called `hub` is the hub itself. */
  readonly clusters: readonly string[];
  /** Clusters that the Applications of every namespace may go to at first. */
  readonly decided: readonly string[];
}

const SMALL_FLEET: FleetLayout = {
  applications: APPLICATIONS,
  clusters: CLUSTERS,
  decided: ['one', 'two', 'hub'],
};

/** The hub's side of a history: everything that is not the controller. */
export interface FleetOnHub {
  /** What each Application has been, by the numbers of the hub's requests. */
  readonly timeline: Timeline;
  /** Makes namespaces, clusters and, in each namespace of Applications, a decision for most clusters. */
  prepare(): Promise<void>;
  happen(event: Event): Promise<void>;
  contents(): Promise<HubContents>;
  /** Lets the agents finish what they hold back. */
  releaseAll(): Promise<void>;
}

/** Takes charge of a hub, an empty one or one that has been prepared. */
export function createFleetOnHub(
  hub: EmbeddedHub,
  layout: FleetLayout = SMALL_FLEET,
): FleetOnHub {
  const { applications, clusters, decided } = layout;
  const namespaces = [...new Set(applications.map(each => each.namespace))];
  const hands = createHubHands(hub.url);
  const works = createWorksOnHub(hands);
  const timeline: Timeline = {
    applications: new Map(),
    everLocal: new Set(['hub']),
    everDecided: new Set(
      namespaces.flatMap(namespace =>
        decided.map(cluster => `${namespace}/${cluster}`),
      ),
    ),
  };

  function pathOf(index: number): string {
    const { namespace, name } = applications[index];
    return `${ARGO}/namespaces/${namespace}/applications/${name}`;
  }

  async function noteNow(index: number, from: number) {
    const { namespace, name } = applications[index];
    const until = hub.requests.length;
    const now = await hands.get<ArgoApplication>(pathOf(index));
    note(timeline, `${namespace}/${name}`, from, until, now);
  }

  /** Notes what an Application is after something was done to it. */
  async function noting(index: number, act: () => Promise<unknown>) {
    const from = hub.requests.length;
    await act();
    await noteNow(index, from);
  }

  async function createApplication(
    index: number,
    cluster: string,
    finalizer: boolean,
  ) {
    const { namespace, name } = applications[index];
    await hands.create(
      `${ARGO}/namespaces/${namespace}/applications`,
      applicationFor({ namespace, name }, cluster, finalizer),
    );
  }

  function patchApplication(index: number, patch: object) {
    return noting(index, () => hands.patch(pathOf(index), patch));
  }

  async function own(index: number, set: string | undefined) {
    const { namespace } = applications[index];
    if (!set) {
      await patchApplication(index, { metadata: { ownerReferences: null } });
      return;
    }
    const sets = `${ARGO}/namespaces/${namespace}/applicationsets`;
    await hands.create(sets, applicationSetFor({ namespace, name: set }));
    const owner = await hands.get<ArgoApplicationSet>(`${sets}/${set}`);
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

  /** With its Applications, or without them as `--cascade=orphan` does it. */
  async function deleteSet(namespace: string, name: string, orphan: boolean) {
    const from = hub.requests.length;
    const path = `${ARGO}/namespaces/${namespace}/applicationsets/${name}`;
    const set = await hands.get(path);
    if (!set) {
      return;
    }
    await hands.delete(path, {
      propagationPolicy: orphan ? 'Orphan' : 'Background',
    });
    const ownedPath = `${ARGO}/namespaces/${namespace}/applications`;
    await waitFor(async () => {
      const left = await hands.list<ArgoApplication>(ownedPath);
      return !left.some(
        ({ metadata }) =>
          !metadata.deletionTimestamp &&
          metadata.ownerReferences?.some(({ uid }) => uid === set.metadata.uid),
      );
    });
    for (const [index, application] of applications.entries()) {
      if (application.namespace === namespace) {
        await noteNow(index, from);
      }
    }
  }

  async function decide(
    namespace: string,
    slot: number,
    selected: readonly string[],
  ) {
    for (const cluster of selected) {
      timeline.everDecided.add(`${namespace}/${cluster}`);
    }
    const path = `${DECISION_API}/namespaces/${namespace}/placementdecisions`;
    const name = `all-decision-${slot + 1}`;
    await hands.create(path, {
      apiVersion: 'cluster.open-cluster-management.io/v1beta1',
      kind: 'PlacementDecision',
      metadata: {
        namespace,
        name,
        labels: { 'cluster.open-cluster-management.io/placement': 'all' },
      },
    });
    await hands.patch(`${path}/${name}/status`, {
      status: {
        decisions: selected.map(clusterName => ({ clusterName, reason: '' })),
      },
    });
  }

  async function putCluster(name: string, to: 'gone' | 'there' | 'local') {
    if (to === 'gone') {
      await hands.delete(`${CLUSTER_API}/${name}`);
      return;
    }
    if (to === 'local') {
      timeline.everLocal.add(name);
    }
    await hands.create(CLUSTER_API, {
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata: { name },
      ...{ spec: { hubAcceptsClient: true } },
    });
    await hands.patch(`${CLUSTER_API}/${name}`, {
      metadata: {
        labels: { 'local-cluster': to === 'local' ? 'true' : null },
      },
    });
  }

  async function happen(event: Event): Promise<void> {
    switch (event.does) {
      case 'apply':
        await noting(event.app, () =>
          createApplication(event.app, event.cluster, event.finalizer),
        );
        return;
      case 'recreate':
        await noting(event.app, async () => {
          await hands.patch(pathOf(event.app), {
            metadata: { finalizers: null },
          });
          await hands.delete(pathOf(event.app));
        });
        await noting(event.app, () =>
          createApplication(event.app, event.cluster, event.finalizer),
        );
        return;
      case 'delete':
        await noting(event.app, () => hands.delete(pathOf(event.app)));
        return;
      case 'respec':
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
                event.does === 'label' ? event.to : null,
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
      case 'rehome':
        await patchApplication(event.app, {
          metadata: {
            annotations: {
              [`${OCM}/ocm-managed-cluster-app-namespace`]: event.to,
            },
          },
        });
        return;
      case 'operate':
        await patchApplication(event.app, {
          operation: { sync: { revision: 'v1' } },
        });
        return;
      case 'refresh':
        await patchApplication(event.app, {
          metadata: { annotations: { 'argocd.argoproj.io/refresh': 'hard' } },
        });
        return;
      case 'own':
        await own(event.app, event.by);
        return;
      case 'deleteSet':
        await deleteSet(event.namespace, event.set, event.orphan);
        return;
      case 'decide':
        await decide(event.namespace, event.slot, event.clusters);
        return;
      case 'undecide':
        await hands.delete(
          `${DECISION_API}/namespaces/${event.namespace}/placementdecisions/all-decision-${event.slot + 1}`,
        );
        return;
      case 'cluster':
        await putCluster(event.cluster, event.to);
        return;
      case 'meddle':
        await works.meddle(event.work, event.how);
        return;
      case 'agent':
        await works.agents(event.how);
        return;
      default:
        throw new Error(`${event.does} is nothing that happens on the hub`);
    }
  }

  async function prepare() {
    for (const name of [...namespaces, ...clusters]) {
      await hands.create('/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name },
      });
    }
    for (const cluster of clusters) {
      await putCluster(cluster, cluster === 'hub' ? 'local' : 'there');
    }
    for (const namespace of namespaces) {
      await decide(namespace, 0, decided);
    }
  }

  return {
    timeline,
    prepare,
    happen,
    contents: async () => ({
      applications: await hands.list(`${ARGO}/applications`),
      works: await works.list(),
      clusters: await hands.list(CLUSTER_API),
      decisions: await hands.list(`${DECISION_API}/placementdecisions`),
    }),
    releaseAll: () => works.agents('release'),
  };
}
