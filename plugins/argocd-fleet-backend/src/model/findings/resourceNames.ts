/** Resources as kubectl has them, by kind: with their API group, since a hub may serve others of the same name. */
const RESOURCES: ReadonlyMap<string, string> = new Map([
  ['Application', 'applications.argoproj.io'],
  ['ApplicationSet', 'applicationsets.argoproj.io'],
  ['ConfigMap', 'configmaps'],
  ['GitOpsCluster', 'gitopsclusters.apps.open-cluster-management.io'],
  ['ManifestWork', 'manifestworks.work.open-cluster-management.io'],
  [
    'MulticlusterApplicationSetReport',
    'multiclusterapplicationsetreports.apps.open-cluster-management.io',
  ],
  ['Role', 'roles.rbac.authorization.k8s.io'],
  ['RoleBinding', 'rolebindings.rbac.authorization.k8s.io'],
  ['Secret', 'secrets'],
]);

/** The resource of a kind that controllers write; undefined for another kind. */
export function resourceOfKind(kind: string | undefined): string | undefined {
  return kind === undefined ? undefined : RESOURCES.get(kind);
}
