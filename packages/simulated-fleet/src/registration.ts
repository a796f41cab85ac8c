import { FleetContext } from './hubView';
import { ManagedCluster, Taint } from './kubernetes/clusterTypes';
import { jsonEqual } from './kubernetes/json';
import { Condition, kubeTime, withCondition } from './kubernetes/objects';
import { managedClusters } from './kubernetes/resources';
import { createReconcileQueue } from './runtime/reconcileQueue';
import { Scenario, ScenarioCluster } from './scenario/schema';
import { SimulatedCluster } from './simulatedCluster';

const FIELD_MANAGER = 'registration';
const UNREACHABLE = 'cluster.open-cluster-management.io/unreachable';

/** Plays OCM's registration: clusters join, report, and one day perhaps fall silent. */
export function startRegistration(
  context: FleetContext & {
    scenario: Scenario;
    clusters: ReadonlyMap<string, SimulatedCluster>;
  },
): void {
  const { client, hub, clock, scenario, clusters } = context;
  const facts = new Map(scenario.clusters.map(entry => [entry.name, entry]));

  async function reconcile(name: string) {
    const object = hub.managedClusters.get(name);
    const cluster = clusters.get(name);
    const described = facts.get(name);
    if (!object || !cluster || !described) {
      return;
    }
    const now = clock.now();
    const status = clusterStatus(object, described, cluster.reports, now);
    if (!jsonEqual(object.status, status)) {
      await client.patch(
        managedClusters,
        object.metadata,
        { status },
        { fieldManager: FIELD_MANAGER, subresource: 'status' },
      );
    }
    const taints = clusterTaints(object, cluster.reports, now);
    if (!jsonEqual(object.spec?.taints ?? [], taints)) {
      await client.patch(
        managedClusters,
        object.metadata,
        { spec: { taints } },
        { fieldManager: FIELD_MANAGER },
      );
    }
  }

  const queue = createReconcileQueue({
    name: 'Registration',
    reconcile,
    opensAfter: hub.listed(),
    ...context,
  });
  hub.managedClusters.onChange(now => now && queue.add(now.metadata.name));
  for (const { name, stopsReportingAfterSeconds } of facts.values()) {
    const cluster = clusters.get(name);
    if (cluster && stopsReportingAfterSeconds) {
      clock.after(stopsReportingAfterSeconds * 1000, () => {
        cluster.reports = false;
        context.logger.info(`${name} stopped reporting, as its scenario says.`);
        queue.add(name);
      });
    }
  }
}

/** A ManagedCluster's status, as registration and its agent keep it. */
export function clusterStatus(
  cluster: ManagedCluster,
  { claims, kubernetesVersion }: ScenarioCluster,
  reports: boolean,
  now: Date,
): NonNullable<ManagedCluster['status']> {
  const conditions: Omit<Condition, 'lastTransitionTime'>[] = [
    {
      type: 'HubAcceptedManagedCluster',
      status: 'True',
      reason: 'HubClusterAdminAccepted',
      message: 'Accepted by hub cluster admin',
    },
    {
      type: 'ManagedClusterJoined',
      status: 'True',
      reason: 'ManagedClusterJoined',
      message: 'Managed cluster joined',
    },
    reports
      ? {
          type: 'ManagedClusterConditionAvailable',
          status: 'True',
          reason: 'ManagedClusterAvailable',
          message: 'Managed cluster is available',
        }
      : {
          type: 'ManagedClusterConditionAvailable',
          status: 'Unknown',
          reason: 'ManagedClusterLeaseUpdateStopped',
          message: 'Registration agent stopped updating its lease.',
        },
  ];
  const allClaims = {
    'id.k8s.io': cluster.metadata.name,
    'kubeversion.open-cluster-management.io': kubernetesVersion,
    ...claims,
  };
  return {
    ...cluster.status,
    conditions: conditions.reduce(
      (all, condition) => withCondition(all, condition, now),
      cluster.status?.conditions ?? [],
    ),
    clusterClaims: Object.entries(allClaims).map(([name, value]) => ({
      name,
      value,
    })),
    version: { kubernetes: kubernetesVersion },
    capacity: cluster.status?.capacity ?? { cpu: '8', memory: '32Gi' },
    allocatable: cluster.status?.allocatable ?? { cpu: '7', memory: '30Gi' },
  };
}

function clusterTaints(
  { spec }: ManagedCluster,
  reports: boolean,
  now: Date,
): Taint[] {
  const taints = spec?.taints ?? [];
  if (reports) {
    return taints.filter(({ key }) => key !== UNREACHABLE);
  }
  return taints.some(({ key }) => key === UNREACHABLE)
    ? taints
    : [
        ...taints,
        { key: UNREACHABLE, effect: 'NoSelect', timeAdded: kubeTime(now) },
      ];
}
