import type {
  ApplicationSetDetail,
  ClusterApplication,
  Finding,
  HealthStatus,
  SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';

export const REF = {
  hub: 'hub',
  namespace: 'openshift-gitops',
  name: 'guestbook',
};

/** The ApplicationSet's Application on one cluster. */
export function onCluster(
  cluster: string,
  health: HealthStatus = 'Healthy',
  sync: SyncStatus = 'Synced',
  details: { stale?: boolean; error?: string; finding?: Finding } = {},
): ClusterApplication {
  return {
    cluster: {
      name: cluster,
      available: 'True',
      stale: details.stale ?? false,
    },
    application: {
      namespace: REF.namespace,
      name: `${cluster}-${REF.name}`,
    },
    deliveryModel: 'pull',
    health,
    sync,
    error: details.error,
    conditions: [],
    resources: [],
    steps: details.finding
      ? [
          {
            id: 'synced',
            state: 'failed',
            title: 'Synced',
            finding: details.finding,
          },
        ]
      : [],
  };
}

/** The ApplicationSet, as the API shows it. */
export function applicationSetOn(
  applications: ClusterApplication[],
  details: Partial<ApplicationSetDetail> = {},
): ApplicationSetDetail {
  return {
    ref: REF,
    uid: 'uid',
    deliveryModel: 'pull',
    sources: [],
    placement: { name: 'guestbook', decisions: applications.length },
    summary: {
      clusters: 0,
      applications: 0,
      sync: { Synced: 0, OutOfSync: 0, Unknown: 0 },
      health: {
        Healthy: 0,
        Progressing: 0,
        Degraded: 0,
        Suspended: 0,
        Missing: 0,
        Unknown: 0,
      },
      stale: 0,
    },
    findings: [],
    applications,
    excluded: [],
    hubState: { name: 'hub', state: 'ready' },
    ...details,
  };
}
