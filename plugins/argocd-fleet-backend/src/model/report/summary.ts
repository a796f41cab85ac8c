import {
  worseHealth,
  worseSync,
  type HealthStatus,
  type SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';

/** Status of a cluster, over all Applications of a set. */
export interface ClusterStatus {
  readonly cluster: string;
  readonly health: HealthStatus;
  readonly sync: SyncStatus;
}

/**
 * One status for each cluster: the worst health and the worst sync of its Applications.
 * @param rows - by cluster
 */
export function worstByCluster(
  rows: readonly ClusterStatus[],
): ClusterStatus[] {
  const clusters: ClusterStatus[] = [];
  for (const row of rows) {
    const last = clusters.at(-1);
    if (last?.cluster === row.cluster) {
      clusters[clusters.length - 1] = {
        cluster: row.cluster,
        health: worseHealth(last.health, row.health),
        sync: worseSync(last.sync, row.sync),
      };
    } else {
      clusters.push(row);
    }
  }
  return clusters;
}
