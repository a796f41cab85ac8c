import {
  worseHealth,
  worseSync,
  type ApplicationSet,
  type ClusterApplication,
  type HealthStatus,
  type StatusSummary,
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

/** Counts clusters, each by the worst of its Applications. */
export function summarise(
  rows: readonly Pick<ClusterApplication, 'cluster' | 'health' | 'sync'>[],
): StatusSummary {
  const clusters = worstByCluster(
    rows.map(({ cluster, health, sync }) => ({
      cluster: cluster.name,
      health,
      sync,
    })),
  );
  const health = {
    Healthy: 0,
    Progressing: 0,
    Degraded: 0,
    Suspended: 0,
    Missing: 0,
    Unknown: 0,
  };
  const sync = { Synced: 0, OutOfSync: 0, Unknown: 0 };
  for (const status of clusters) {
    health[status.health] += 1;
    sync[status.sync] += 1;
  }
  const stale = rows.filter(row => row.cluster.stale);
  return {
    clusters: clusters.length,
    applications: rows.length,
    health,
    sync,
    stale: new Set(stale.map(row => row.cluster.name)).size,
  };
}

/**
 * The most urgent problem of the rows: errors before warnings, clusters that report before stale ones (their last
 * status may be old), the worst health first.
 */
export function worst(
  rows: readonly ClusterApplication[],
): ApplicationSet['worst'] {
  const [first] = rows
    .flatMap(row => {
      const message = row.error;
      return message ? [{ row, message }] : [];
    })
    .sort((a, b) => urgency(b.row) - urgency(a.row));
  return first && { cluster: first.row.cluster.name, message: first.message };
}

const URGENCY: Record<HealthStatus, number> = {
  Degraded: 5,
  Missing: 4,
  Unknown: 3,
  Progressing: 2,
  Suspended: 1,
  Healthy: 0,
};

function urgency(row: ClusterApplication): number {
  const failed = row.steps.some(({ finding }) => finding?.severity === 'error');
  return (
    (failed ? 100 : 0) + (row.cluster.stale ? 0 : 10) + URGENCY[row.health]
  );
}
