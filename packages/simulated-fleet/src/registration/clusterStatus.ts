import { ManagedCluster, Taint } from '../kubernetes/clusterTypes';
import { Condition, kubeTime, withCondition } from '../kubernetes/objects';
import { ScenarioCluster } from '../scenario/schema';
import { ClusterTrouble } from '../simulatedCluster';

type NewCondition = Omit<Condition, 'lastTransitionTime'>;

const UNREACHABLE = 'cluster.open-cluster-management.io/unreachable';
const UNAVAILABLE = 'cluster.open-cluster-management.io/unavailable';
const AVAILABLE = 'ManagedClusterConditionAvailable';

const ACCEPTED: NewCondition = {
  type: 'HubAcceptedManagedCluster',
  status: 'True',
  reason: 'HubClusterAdminAccepted',
  message: 'Accepted by hub cluster admin',
};

const JOINED: NewCondition = {
  type: 'ManagedClusterJoined',
  status: 'True',
  reason: 'ManagedClusterJoined',
  message: 'Managed cluster joined',
};

/** What a ManagedCluster's status is made of. */
export interface ClusterReport {
  readonly trouble: ClusterTrouble;
  /** The hub has waited for the lease longer than it does. */
  readonly leaseExpired: boolean;
  readonly now: Date;
}

/**
 * A ManagedCluster's status as the hub and the cluster's agent keep it
 * together. An agent that cannot reach the hub leaves its part as it was.
 */
export function clusterStatus(
  cluster: ManagedCluster,
  { claims, kubernetesVersion, leaseDurationSeconds }: ScenarioCluster,
  report: ClusterReport,
): NonNullable<ManagedCluster['status']> {
  const { trouble, now } = report;
  const previous = cluster.status ?? {};
  const joined = previous.conditions?.some(
    ({ type }) => type === 'ManagedClusterJoined',
  );
  const conditions = [
    ACCEPTED,
    JOINED,
    availableCondition(report),
    clockCondition(trouble, leaseDurationSeconds),
  ]
    .filter(condition => condition !== undefined)
    .reduce<Condition[]>(
      (all, condition) => withCondition(all, condition, now),
      previous.conditions ?? [],
    );
  if (trouble.offline && joined) {
    return { ...previous, conditions };
  }
  const allClaims = {
    'id.k8s.io': cluster.metadata.name,
    'kubeversion.open-cluster-management.io': kubernetesVersion,
    ...claims,
  };
  return {
    ...previous,
    conditions,
    clusterClaims: Object.entries(allClaims).map(([name, value]) => ({
      name,
      value,
    })),
    version: { kubernetes: kubernetesVersion },
    capacity: previous.capacity ?? { cpu: '8', memory: '32Gi' },
    allocatable: previous.allocatable ?? { cpu: '7', memory: '30Gi' },
  };
}

/** The taints that OCM keeps by the availability of a cluster; a user's own stay. */
export function clusterTaints(
  { spec }: ManagedCluster,
  conditions: readonly Condition[],
  now: Date,
): Taint[] {
  const status = conditions.find(({ type }) => type === AVAILABLE)?.status;
  const wanted = { True: undefined, False: UNAVAILABLE, Unknown: UNREACHABLE }[
    status ?? 'True'
  ];
  const taints = spec?.taints ?? [];
  const kept = taints.filter(
    ({ key }) => key === wanted || (key !== UNREACHABLE && key !== UNAVAILABLE),
  );
  return !wanted || kept.some(({ key }) => key === wanted)
    ? kept
    : [...kept, { key: wanted, effect: 'NoSelect', timeAdded: kubeTime(now) }];
}

function availableCondition({
  trouble,
  leaseExpired,
}: ClusterReport): NewCondition | undefined {
  if (leaseExpired) {
    return {
      type: AVAILABLE,
      status: 'Unknown',
      reason: 'ManagedClusterLeaseUpdateStopped',
      message: 'Registration agent stopped updating its lease.',
    };
  }
  if (trouble.offline) {
    return undefined;
  }
  return trouble.apiServerDown
    ? {
        type: AVAILABLE,
        status: 'False',
        reason: 'ManagedClusterKubeAPIServerUnavailable',
        message: 'The kube-apiserver is not ok, status code: 500, ',
      }
    : {
        type: AVAILABLE,
        status: 'True',
        reason: 'ManagedClusterAvailable',
        message: 'Managed cluster is available',
      };
}

/** The hub compares its own clock with the lease's time, and allows one lease duration. */
function clockCondition(
  { offline, clockSkewSeconds }: ClusterTrouble,
  leaseDurationSeconds: number,
): NewCondition | undefined {
  if (offline) {
    return undefined;
  }
  const type = 'ManagedClusterConditionClockSynced';
  return Math.abs(clockSkewSeconds) < leaseDurationSeconds
    ? {
        type,
        status: 'True',
        reason: 'ManagedClusterClockSynced',
        message: 'The clock of the managed cluster is synced with the hub.',
      }
    : {
        type,
        status: 'False',
        reason: 'ManagedClusterClockOutOfSync',
        message:
          'The clock of hub and agent is out of sync. This may cause the Unknown status and affect agent functionalities.',
      };
}
