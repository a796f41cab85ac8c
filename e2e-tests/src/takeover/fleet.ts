const OCM = 'apps.open-cluster-management.io';

/** The annotation that names the cluster of an Application. */
export const TARGET = `${OCM}/ocm-managed-cluster`;
/** Namespace of all Applications. */
export const TENANT = 'tenant';

function pullApplication(name: string, cluster: string) {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      namespace: TENANT,
      name,
      labels: { [`${OCM}/pull-to-ocm-managed-cluster`]: 'true' },
      annotations: {
        [TARGET]: cluster,
        'argocd.argoproj.io/skip-reconcile': 'true',
      },
    },
    spec: {
      project: 'default',
      source: {
        repoURL: 'https://example.com/shop.git',
        path: '.',
        targetRevision: 'v0',
      },
      destination: { server: 'https://kubernetes.default.svc' },
    },
  };
}

/** What Argo CD and OCM have put on a hub for so many Applications. */
export function fleetObjects(
  clusters: readonly string[],
  applications: number,
) {
  return [
    ...[TENANT, ...clusters].map(name => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name },
    })),
    ...clusters.map(name => ({
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata: { name },
      spec: { hubAcceptsClient: true },
    })),
    {
      apiVersion: 'cluster.open-cluster-management.io/v1beta1',
      kind: 'PlacementDecision',
      metadata: {
        namespace: TENANT,
        name: 'all-decision-1',
        labels: { 'cluster.open-cluster-management.io/placement': 'all' },
      },
      status: {
        decisions: clusters.map(clusterName => ({ clusterName, reason: '' })),
      },
    },
    ...Array.from({ length: applications }, (_, index) =>
      pullApplication(`app-${index}`, clusters[index % clusters.length]),
    ),
  ];
}
