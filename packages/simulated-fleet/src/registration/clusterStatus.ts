import { ManagedCluster, Taint } from '../kubernetes/clusterTypes';
import {
  Condition,
  kubeTime,
  withConditions,
  NewCondition,
} from '../kubernetes/objects';
import { ScenarioCluster } from '../scenario/schema';
import { ClusterFaults } from '../cluster/simulatedCluster';

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

/** The state of a cluster from which {@link clusterStatus} computes its status. */
export interface ClusterReport {
  readonly faults: ClusterFaults;
  /** Whether the lease was not renewed for five lease durations. */
  readonly leaseExpired: boolean;
  readonly now: Date;
}

/**
 * A ManagedCluster's status, to which the hub and the cluster's agent both
 * contribute. The agent's part stays unchanged while the agent is offline.
 */
export function clusterStatus(
  cluster: ManagedCluster,
  { claims, kubernetesVersion, leaseDurationSeconds }: ScenarioCluster,
  report: ClusterReport,
): NonNullable<ManagedCluster['status']> {
  const { faults, now } = report;
  const previous = cluster.status ?? {};
  const joined = previous.conditions?.some(
    ({ type }) => type === 'ManagedClusterJoined',
  );
  const current = [
    ACCEPTED,
    JOINED,
    availableCondition(report),
    clockCondition(faults, leaseDurationSeconds),
  ].filter(condition => condition !== undefined);
  const conditions = withConditions(previous.conditions ?? [], current, now);
  if (faults.offline && joined) {
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

/** The taints of a cluster: OCM's for its availability, and all taints of users. */
export function clusterTaints(
  { spec }: ManagedCluster,
  conditions: readonly Condition[],
  now: Date,
): Taint[] {
  const status = conditions.find(({ type }) => type === AVAILABLE)?.status;
  const desired = { True: undefined, False: UNAVAILABLE, Unknown: UNREACHABLE }[
    status ?? 'True'
  ];
  const taints = spec?.taints ?? [];
  const kept = taints.filter(
    ({ key }) =>
      key === desired || (key !== UNREACHABLE && key !== UNAVAILABLE),
  );
  return !desired || kept.some(({ key }) => key === desired)
    ? kept
    : [...kept, { key: desired, effect: 'NoSelect', timeAdded: kubeTime(now) }];
}

function availableCondition({
  faults,
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
  if (faults.offline) {
    return undefined;
  }
  return faults.apiServerDown
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

/** The hub compares its own clock with the lease's time and tolerates one lease duration. */
function clockCondition(
  { offline, clockSkewSeconds }: ClusterFaults,
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
