import {
  MANAGED_BY,
  MANAGED_BY_LABEL,
  type ApplicationSetDetail,
  type ClusterApplication,
  type DeliveryStep,
  type Finding,
  type HealthStatus,
  type SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';

export const REF = {
  hub: 'hub',
  namespace: 'openshift-gitops',
  name: 'guestbook',
};

/** The API's finding when the labels of a Placement match no cluster. */
export const NOTHING_SELECTED: Finding = {
  code: 'AFC-303',
  severity: 'warning',
  title: 'No cluster selected',
  message:
    'The Placement guestbook selects no cluster, so there is nothing to deploy to.',
  evidence: 'No valid ManagedCluster found',
  fix: {
    description: 'Check the bindings and the labels:',
    command:
      'kubectl describe placements.cluster.open-cluster-management.io guestbook -n openshift-gitops',
  },
};

/** The API's finding when the repository lacks the revision. */
export const REVISION_UNKNOWN: Finding = {
  code: 'AFC-207',
  severity: 'error',
  title: 'Unknown revision or path',
  message: 'The repository does not have the branch.',
  evidence: "unable to resolve 'nope' to a commit SHA",
  fix: { description: 'Push it, or correct targetRevision.' },
};

/** A step that is done although its last sync failed. */
export const SYNC_FAILED: DeliveryStep = {
  id: 'synced',
  state: 'done',
  title: 'Synced',
  finding: {
    code: 'AFC-211',
    severity: 'error',
    title: 'The last sync failed',
    message: 'Argo CD could not sync the cluster with Git.',
    evidence: 'hook failed',
  },
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
    state: 'ok',
    wanted: ['main'],
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

/** The ApplicationSet as the API returns it. */
export function applicationSetOn(
  applications: ClusterApplication[],
  details: Partial<ApplicationSetDetail> = {},
): ApplicationSetDetail {
  return {
    ref: REF,
    uid: 'uid',
    labels: { [MANAGED_BY_LABEL]: MANAGED_BY },
    deliveryModel: 'pull',
    sources: [],
    placement: { name: 'guestbook', decisions: applications.length },
    summary: {
      clusters: 0,
      applications: 0,
      state: { ok: 0, running: 0, paused: 0, blocked: 0, inTrouble: 0 },
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
      staleHealth: {},
    },
    revisions: [],
    notKnown: 0,
    findings: [],
    applications,
    excluded: [],
    hubState: { name: 'hub', state: 'ready' },
    ...details,
  };
}
