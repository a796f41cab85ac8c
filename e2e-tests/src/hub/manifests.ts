import type { Json } from './hubClient';

/** A Namespace. */
export function namespaceManifest(name: string) {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

/** A valid Application; `source` overrides fields of its source. */
export function applicationManifest(name: string, source: object = {}) {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name },
    spec: {
      project: 'default',
      source: { repoURL: 'https://git.example/a.git', path: 'a', ...source },
      destination: {
        server: 'https://kubernetes.default.svc',
        namespace: 'a',
      },
    },
  };
}

/** A Placement `all` for the clusters of one ManagedClusterSet, with the set and its binding; clusters name it by their label. */
export function placementManifests(
  namespace: string,
  clusterSet: string,
  uid?: string,
) {
  const group = 'cluster.open-cluster-management.io';
  return [
    {
      apiVersion: `${group}/v1beta2`,
      kind: 'ManagedClusterSet',
      metadata: { name: clusterSet },
      spec: { clusterSelector: { selectorType: 'ExclusiveClusterSetLabel' } },
    },
    {
      apiVersion: `${group}/v1beta2`,
      kind: 'ManagedClusterSetBinding',
      metadata: { namespace, name: clusterSet },
      spec: { clusterSet },
    },
    {
      apiVersion: `${group}/v1beta1`,
      kind: 'Placement',
      metadata: { namespace, name: 'all', uid },
      spec: { clusterSets: [clusterSet] },
    },
  ];
}

/** A PlacementDecision that no Placement controls; without clusters it has no status yet. */
export function placementDecisionManifest(
  namespace: string,
  name: string,
  labels: Readonly<Record<string, string>>,
  clusters?: readonly string[],
) {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'PlacementDecision',
    metadata: { namespace, name, labels },
    ...(clusters && { status: placementDecisionStatus(clusters) }),
  };
}

/** Status of a PlacementDecision for these clusters. */
export function placementDecisionStatus(clusters: readonly string[]) {
  return {
    decisions: clusters.map(clusterName => ({ clusterName, reason: '' })),
  };
}

/**
 * The namespace of an Argo CD, the two objects without which its components do not start, and projects that allow
 * everything.
 */
export function argoCdManifests(
  namespace: string,
  projects: readonly string[],
): Json[] {
  const labels = { 'app.kubernetes.io/part-of': 'argocd' };
  return [
    namespaceManifest(namespace),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'argocd-cm', namespace, labels },
    },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'argocd-secret', namespace, labels },
      stringData: { 'server.secretkey': 'unused' },
    },
    ...projects.map(name => ({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name, namespace },
      spec: {
        sourceRepos: ['*'],
        destinations: [{ server: '*', namespace: '*' }],
      },
    })),
  ];
}
