import { ManagedCluster } from '../kubernetes/clusterTypes';
import { Secret } from '../kubernetes/coreTypes';
import { Condition, kubeTime } from '../kubernetes/objects';
import { CompletePlan } from './fleetPlan';
import { SeededChoice } from './seededChoice';

const DAY_MS = 24 * 3600 * 1000;

/** Where clusters are, in the words of the one who runs them. */
const PLACES = [
  { cloud: 'Amazon', region: 'us-east-1', set: 'americas' },
  { cloud: 'Amazon', region: 'eu-west-1', set: 'emea' },
  { cloud: 'Azure', region: 'westeurope', set: 'emea' },
  { cloud: 'Google', region: 'asia-southeast1', set: 'apac' },
  { cloud: 'BareMetal', region: 'us-stores', set: 'americas' },
  { cloud: 'BareMetal', region: 'eu-stores', set: 'emea' },
] as const;

const KINDS = [
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

/** Names of the ManagedClusterSets that the clusters of a fleet are in. */
export const CLUSTER_SETS: readonly string[] = [
  ...new Set(PLACES.map(({ set }) => set)),
];

/** A cluster of a generated fleet. */
export interface FleetCluster {
  readonly object: ManagedCluster;
  /** Whether its agent still reports. */
  readonly reports: boolean;
}

/** The ManagedClusters, as registration keeps them. */
export function fleetClusters(
  plan: CompletePlan,
  choose: SeededChoice,
): FleetCluster[] {
  return Array.from({ length: plan.clusters }, (_, index) => {
    const number = String(index + 1).padStart(4, '0');
    const place = choose.oneOf(PLACES, 'place', number);
    const name = `${place.region}-${number}`;
    const { vendor, version } = choose.oneOf(KINDS, 'kind', number);
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
          'cluster.open-cluster-management.io/clusterset': place.set,
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

/** The blank cluster Secret of the pull model. */
export function clusterSecret(
  { metadata }: ManagedCluster,
  namespace: string,
  choose: SeededChoice,
): Secret {
  const cluster = metadata.name;
  const name = `${cluster}-cluster-secret`;
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      namespace,
      uid: choose.uid('Secret', name),
      creationTimestamp: metadata.creationTimestamp,
      labels: {
        ...metadata.labels,
        'argocd.argoproj.io/secret-type': 'cluster',
        'apps.open-cluster-management.io/acm-cluster': 'true',
        'apps.open-cluster-management.io/cluster-name': cluster,
        'apps.open-cluster-management.io/cluster-server': `${cluster}-control-plane`,
      },
    },
    type: 'Opaque',
    data: {
      name: base64(cluster),
      server: base64(`https://${cluster}-control-plane`),
    },
  };
}
