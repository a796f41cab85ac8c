import type {
  ManagedCluster,
  Placement,
  PlacementDecision,
} from 'backstage-plugin-argocd-fleet-common';
import {
  boundSet,
  controlledBy,
  decisionStatus,
  GLOBAL_SET,
  placement,
} from '../../../__testUtils__/objects';
import type { HubApi } from './hubApi';
import type { Timeline } from './wrongDeletions';

const CLUSTER_API =
  '/apis/cluster.open-cluster-management.io/v1/managedclusters';
const DECISION_API = '/apis/cluster.open-cluster-management.io/v1beta1';
const SET_API = '/apis/cluster.open-cluster-management.io/v1beta2';

/** Changes of ManagedClusters and PlacementDecisions, as OCM makes them. */
export interface ClustersOnHub {
  listClusters(): Promise<readonly ManagedCluster[]>;
  listDecisions(): Promise<readonly PlacementDecision[]>;
  /** Writes the decision with that index of a namespace. */
  decide(
    namespace: string,
    slot: number,
    selected: readonly string[],
  ): Promise<void>;
  deleteDecision(namespace: string, slot: number): Promise<void>;
  /** Deletes a cluster, or creates it; `local` makes it the hub itself. */
  put(name: string, to: 'gone' | 'there' | 'local'): Promise<void>;
}

/** Changes a hub through its API and records in the timeline where works were ever allowed. */
export function createClustersOnHub(
  api: HubApi,
  timeline: Timeline,
): ClustersOnHub {
  const decisionsPath = (namespace: string) =>
    `${DECISION_API}/namespaces/${namespace}/placementdecisions`;
  const decisionName = (slot: number) => `all-decision-${slot + 1}`;

  async function decide(
    namespace: string,
    slot: number,
    selected: readonly string[],
  ) {
    for (const cluster of selected) {
      timeline.everDecided.add(`${namespace}/${cluster}`);
    }
    const path = decisionsPath(namespace);
    const name = decisionName(slot);
    await api.create(path, {
      apiVersion: 'cluster.open-cluster-management.io/v1beta1',
      kind: 'PlacementDecision',
      metadata: {
        namespace,
        name,
        labels: { 'cluster.open-cluster-management.io/placement': 'all' },
        ownerReferences: [controlledBy(await placementOf(namespace))],
      },
    });
    await api.patch(`${path}/${name}/status`, {
      status: decisionStatus(selected),
    });
  }

  /** Creates it, with the set of all clusters bound to its namespace, where it does not exist. */
  async function placementOf(namespace: string) {
    const path = `${DECISION_API}/namespaces/${namespace}/placements`;
    const known = await api.get<Placement>(`${path}/all`);
    if (known) {
      return known;
    }
    await api.create(`${SET_API}/managedclustersets`, GLOBAL_SET);
    await api.create(
      `${SET_API}/namespaces/${namespace}/managedclustersetbindings`,
      boundSet(GLOBAL_SET.metadata.name, namespace),
    );
    await api.create(path, placement('all', namespace));
    return (await api.get<Placement>(`${path}/all`))!;
  }

  async function put(name: string, to: 'gone' | 'there' | 'local') {
    if (to === 'gone') {
      timeline.everGone.add(name);
      await api.delete(`${CLUSTER_API}/${name}`);
      return;
    }
    if (to === 'local') {
      timeline.everLocal.add(name);
    }
    await api.create(CLUSTER_API, {
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata: { name },
      ...{ spec: { hubAcceptsClient: true } },
    });
    await api.patch(`${CLUSTER_API}/${name}`, {
      metadata: {
        labels: { 'local-cluster': to === 'local' ? 'true' : null },
      },
    });
  }

  return {
    listClusters: () => api.list(CLUSTER_API),
    listDecisions: () => api.list(`${DECISION_API}/placementdecisions`),
    decide,
    async deleteDecision(namespace, slot) {
      await api.delete(`${decisionsPath(namespace)}/${decisionName(slot)}`);
    },
    put,
  };
}
