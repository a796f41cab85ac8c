// Keeps the cluster Secrets of each GitOpsCluster's Placement in its Argo CD namespace, what the ApplicationSet
// controller needs to generate from PlacementDecisions, and the GitOpsCluster's status. Keys: see `importKeys.ts`. What
// is desired is decided in model/clusterimport.

export { watchArgoNamespaces } from './argoNamespaces';
export { createClusterImport } from './clusterImport';
export { createPermittedAccounts } from './importAccounts';
export { importPermissions, type ImportOptions } from './importPermissions';
