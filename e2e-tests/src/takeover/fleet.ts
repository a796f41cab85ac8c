import {
  namespaceManifest,
  placementDecisionManifest,
  placementManifests,
} from '../hub/manifests';

const OCM = 'apps.open-cluster-management.io';

/** The annotation that names the target cluster of an Application. */
export const CLUSTER_ANNOTATION = `${OCM}/ocm-managed-cluster`;
/** Namespace of all Applications. */
export const APPLICATION_NAMESPACE = 'tenant';
const CLUSTER_SET = 'stores';
const PLACEMENT_UID = '9a7c1f52-0000-4000-8000-000000000001';

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
  const decision = placementDecisionManifest(
    APPLICATION_NAMESPACE,
    'all-decision-1',
    { 'cluster.open-cluster-management.io/placement': 'all' },
    clusters,
  );
  return [
    ...[APPLICATION_NAMESPACE, ...clusters].map(namespaceManifest),
    ...clusters.map(name => ({
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata: {
        name,
        labels: {
          'cluster.open-cluster-management.io/clusterset': CLUSTER_SET,
        },
      },
      spec: { hubAcceptsClient: true },
    })),
    ...placementManifests(APPLICATION_NAMESPACE, CLUSTER_SET, PLACEMENT_UID),
    {
      ...decision,
      metadata: {
        ...decision.metadata,
        ownerReferences: [
          {
            apiVersion: 'cluster.open-cluster-management.io/v1beta1',
            kind: 'Placement',
            name: 'all',
            uid: PLACEMENT_UID,
            controller: true,
          },
        ],
      },
    },
    ...Array.from({ length: applications }, (_, index) =>
      pullApplication(`app-${index}`, clusters[index % clusters.length]),
    ),
  ];
}
