import {
  HEALTH_STATUSES,
  SYNC_STATUSES,
  worseHealth,
  type ClusterApplication,
  type HealthStatus,
  type StatusSummary,
  type SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';
import {
  HEALTH_PRESENTATION,
  SYNC_PRESENTATION,
  type Presentation,
} from './presentation';

/** One part of a ratio bar. */
export interface Segment<S extends string> {
  readonly status: S;
  readonly of: Presentation;
  /** Number of clusters. */
  readonly count: number;
  /** Number of those that are stale: their status is the last known one. */
  readonly stale: number;
}

/** Display order: from the best to the worst, then unknown. */
const HEALTH_ORDER: readonly HealthStatus[] = [
  'Healthy',
  'Progressing',
  'Suspended',
  'Degraded',
  'Missing',
  'Unknown',
];

/** Number of stale clusters by health; a cluster counts once, by its worst health. */
export function staleByHealth(
  applications: readonly ClusterApplication[],
): ReadonlyMap<HealthStatus, number> {
  const worstOfCluster = new Map<string, HealthStatus>();
  for (const { cluster, health } of applications) {
    if (cluster.stale) {
      worstOfCluster.set(
        cluster.name,
        worseHealth(health, worstOfCluster.get(cluster.name) ?? 'Healthy'),
      );
    }
  }
  const counts = new Map<HealthStatus, number>();
  for (const health of worstOfCluster.values()) {
    counts.set(health, (counts.get(health) ?? 0) + 1);
  }
  return counts;
}

/** @param applications - to count the stale clusters of each status; without them, `stale` is 0 */
export function healthSegments(
  summary: StatusSummary,
  applications: readonly ClusterApplication[] = [],
): Segment<HealthStatus>[] {
  const stale = staleByHealth(applications);
  return HEALTH_ORDER.filter(status => summary.health[status] > 0).map(
    status => ({
      status,
      of: HEALTH_PRESENTATION[status],
      count: summary.health[status],
      stale: Math.min(stale.get(status) ?? 0, summary.health[status]),
    }),
  );
}

export function syncSegments(summary: StatusSummary): Segment<SyncStatus>[] {
  return SYNC_STATUSES.filter(status => summary.sync[status] > 0).map(
    status => ({
      status,
      of: SYNC_PRESENTATION[status],
      count: summary.sync[status],
      stale: 0,
    }),
  );
}

/** The worst health of any cluster; undefined where there are no clusters. */
export function worstHealthOf(
  summary: StatusSummary,
): HealthStatus | undefined {
  return [...HEALTH_STATUSES]
    .reverse()
    .find(status => summary.health[status] > 0);
}
