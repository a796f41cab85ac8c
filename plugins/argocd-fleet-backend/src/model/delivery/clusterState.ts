import {
  LOCAL_CLUSTER_LABEL,
  type ClusterState,
  type Condition,
  type ManagedCluster,
} from 'backstage-plugin-argocd-fleet-common';
import { shownText } from '../text';

const AVAILABLE = 'ManagedClusterConditionAvailable';

/**
 * A cluster as the API shows it. It is stale unless OCM reports it as available: its agent stopped reporting, or never
 * started. A cluster without ManagedCluster (push model by URL) has availability `Unknown` and is never stale, because
 * no agent reports about it.
 */
export function clusterState(
  name: string,
  managedCluster: ManagedCluster | undefined,
): ClusterState {
  if (!managedCluster) {
    return { name: shownText(name), available: 'Unknown', stale: false };
  }
  const condition = availability(managedCluster);
  const stale = condition?.status !== 'True';
  return {
    name,
    available: availableStatus(condition),
    stale,
    ...(stale &&
      condition?.lastTransitionTime && {
        staleSince: condition.lastTransitionTime,
      }),
    ...(managedCluster.metadata.labels && {
      labels: { ...managedCluster.metadata.labels },
    }),
  };
}

/** OCM's condition that says whether the cluster's agent reports. */
export function availability(
  managedCluster: ManagedCluster,
): Condition | undefined {
  return managedCluster.status?.conditions?.find(
    condition => condition.type === AVAILABLE,
  );
}

/** What identifies the cluster on every hub, as it says itself; undefined where it says nothing. */
export function clusterId({ status }: ManagedCluster): string | undefined {
  const claim = status?.clusterClaims?.find(({ name }) => name === 'id.k8s.io');
  return claim?.value || undefined;
}

/** Whether the cluster is the hub itself. */
export function isLocalCluster(managedCluster: ManagedCluster): boolean {
  return managedCluster.metadata.labels?.[LOCAL_CLUSTER_LABEL] === 'true';
}

function availableStatus(
  condition: Condition | undefined,
): ClusterState['available'] {
  const status = condition?.status;
  return status === 'True' || status === 'False' ? status : 'Unknown';
}
