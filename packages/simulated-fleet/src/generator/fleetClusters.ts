import { CLUSTER_SET_LABEL, ManagedCluster } from '../kubernetes/clusterTypes';
import { Condition, kubeTime } from '../kubernetes/objects';
import { CompletePlan } from './fleetPlan';
import { SeededChoice } from './seededChoice';

const DAY_MS = 24 * 3600 * 1000;

/** The clouds and regions of clusters, with the ManagedClusterSet of each. */
const LOCATIONS = [
  { cloud: 'Amazon', region: 'us-east-1', set: 'americas' },
  { cloud: 'Amazon', region: 'eu-west-1', set: 'emea' },
  { cloud: 'Azure', region: 'westeurope', set: 'emea' },
  { cloud: 'Google', region: 'asia-southeast1', set: 'apac' },
  { cloud: 'BareMetal', region: 'us-stores', set: 'americas' },
  { cloud: 'BareMetal', region: 'eu-stores', set: 'emea' },
] as const;

const DISTRIBUTIONS = [
  { vendor: 'OpenShift', version: 'v1.33.4' },
  { vendor: 'OpenShift', version: 'v1.32.8' },
  { vendor: 'MicroShift', version: 'v1.33.2' },
  { vendor: 'K3s', version: 'v1.34.1' },
] as const;

const ENVIRONMENTS = [
  'production',
  'production',
  'production',
  'staging',
  'development',
] as const;

/** The names of the ManagedClusterSets of a generated fleet. */
export const CLUSTER_SETS: readonly string[] = [
  ...new Set(LOCATIONS.map(({ set }) => set)),
];

/** A cluster of a generated fleet. */
export interface FleetCluster {
  readonly object: ManagedCluster;
  /** Whether the cluster's agent still reports. */
  readonly reports: boolean;
}

/** The ManagedClusters with the status that registration writes. */
export function fleetClusters(
  plan: CompletePlan,
  choose: SeededChoice,
): FleetCluster[] {
  return Array.from({ length: plan.clusters }, (_, index) => {
    const number = String(index + 1).padStart(4, '0');
    const place = choose.oneOf(LOCATIONS, 'place', number);
    const name = `${place.region}-${number}`;
    const { vendor, version } = choose.oneOf(DISTRIBUTIONS, 'kind', number);
    const reports = choose.share('silent', number) >= plan.silent;
    const joined = new Date(plan.now.getTime() - 30 * DAY_MS);
    const silentSince = new Date(
      plan.now.getTime() - choose.share('since', number) * DAY_MS,
    );
    const object: ManagedCluster = {
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata: {
        name,
        uid: choose.uid('ManagedCluster', name),
        creationTimestamp: kubeTime(joined),
        generation: 1,
        labels: {
          name,
          [CLUSTER_SET_LABEL]: place.set,
          cloud: place.cloud,
          region: place.region,
          vendor,
          environment: choose.oneOf(ENVIRONMENTS, 'environment', number),
        },
        finalizers: ['cluster.open-cluster-management.io/api-resource-cleanup'],
      },
      spec: {
        hubAcceptsClient: true,
        leaseDurationSeconds: 60,
        ...(!reports && {
          taints: [
            {
              key: 'cluster.open-cluster-management.io/unreachable',
              effect: 'NoSelect' as const,
              timeAdded: kubeTime(silentSince),
            },
          ],
        }),
      },
      status: {
        conditions: conditions(joined, reports ? undefined : silentSince),
        clusterClaims: [
          { name: 'id.k8s.io', value: choose.uid('cluster', name) },
          { name: 'kubeversion.open-cluster-management.io', value: version },
          { name: 'platform.open-cluster-management.io', value: place.cloud },
          { name: 'product.open-cluster-management.io', value: vendor },
        ],
        version: { kubernetes: version },
        capacity: { cpu: '8', memory: '32Gi' },
        allocatable: { cpu: '7', memory: '30Gi' },
      },
    };
    return { object, reports };
  });
}

function conditions(joined: Date, silentSince: Date | undefined): Condition[] {
  return [
    {
      type: 'HubAcceptedManagedCluster',
      status: 'True',
      reason: 'HubClusterAdminAccepted',
      message: 'Accepted by hub cluster admin',
      lastTransitionTime: kubeTime(joined),
    },
    {
      type: 'ManagedClusterJoined',
      status: 'True',
      reason: 'ManagedClusterJoined',
      message: 'Managed cluster joined',
      lastTransitionTime: kubeTime(joined),
    },
    silentSince
      ? {
          type: 'ManagedClusterConditionAvailable',
          status: 'Unknown',
          reason: 'ManagedClusterLeaseUpdateStopped',
          message: 'Registration agent stopped updating its lease.',
          lastTransitionTime: kubeTime(silentSince),
        }
      : {
          type: 'ManagedClusterConditionAvailable',
          status: 'True',
          reason: 'ManagedClusterAvailable',
          message: 'Managed cluster is available',
          lastTransitionTime: kubeTime(joined),
        },
  ];
}
