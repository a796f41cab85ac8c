import type {
  ApplicationRow,
  SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';

/**
 * The sync status that was, where it is only old: the cluster is silent, or has not compared with what the hub wants
 * now. Health is only old where the cluster is silent: one that reports has its present health.
 */
export function oldSync({
  cluster,
  sync,
  reportedSync,
}: Pick<ApplicationRow, 'cluster' | 'sync' | 'reportedSync'>):
  SyncStatus | undefined {
  return reportedSync ?? (cluster.stale ? sync : undefined);
}
