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

/** One status for each cluster: the worst health and the worst sync of its Applications. */
export function worstByCluster(
  rows: readonly ClusterStatus[],
): ClusterStatus[] {
  const clusters = new Map<string, ClusterStatus>();
  for (const row of rows) {
    const known = clusters.get(row.cluster);
    clusters.set(
      row.cluster,
      known
        ? {
            cluster: row.cluster,
            health: worseHealth(known.health, row.health),
            sync: worseSync(known.sync, row.sync),
          }
        : row,
    );
  }
  return [...clusters.values()];
}
