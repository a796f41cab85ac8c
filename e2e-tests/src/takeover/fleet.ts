import { namespaceManifest, placementDecisionManifest } from '../hub/manifests';

const OCM = 'apps.open-cluster-management.io';

/** The annotation that names the target cluster of an Application. */
export const CLUSTER_ANNOTATION = `${OCM}/ocm-managed-cluster`;
/** Namespace of all Applications. */
export const APPLICATION_NAMESPACE = 'tenant';

function pullApplication(name: string, cluster: string) {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      namespace: APPLICATION_NAMESPACE,
      name,
      labels: { [`${OCM}/pull-to-ocm-managed-cluster`]: 'true' },
      annotations: {
        [CLUSTER_ANNOTATION]: cluster,
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

/** The objects that Argo CD and OCM create on a hub for this number of Applications. */
export function fleetObjects(
  clusters: readonly string[],
  applications: number,
) {
  return [
    ...[APPLICATION_NAMESPACE, ...clusters].map(namespaceManifest),
    ...clusters.map(name => ({
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata: { name },
      spec: { hubAcceptsClient: true },
    })),
    placementDecisionManifest(
      APPLICATION_NAMESPACE,
      'all-decision-1',
      { 'cluster.open-cluster-management.io/placement': 'all' },
      clusters,
    ),
    ...Array.from({ length: applications }, (_, index) =>
      pullApplication(`app-${index}`, clusters[index % clusters.length]),
    ),
  ];
}
