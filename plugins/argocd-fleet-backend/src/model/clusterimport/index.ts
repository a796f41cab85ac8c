// Which cluster Secrets, ConfigMap, Role and RoleBinding does a GitOpsCluster need in its Argo CD namespace?
// `importTarget` says where, `planClusterSecret` what differs, `importStatus` what the GitOpsCluster reports.

export { clientConfigOf, clusterConfig } from './clusterAccess';
export {
  clusterReferences,
  decidingGitOpsCluster,
  importStatus,
  importTarget,
  namesOfCluster,
  planClusterSecret,
  secretKept,
  unwantedSecrets,
  wantedClusters,
  type ImportTarget,
} from './clusterImport';
export {
  argoClusterName,
  clusterIdentities,
  clusterNameIdentity,
  clusterServerIdentity,
  clusterOfSecretName,
  clusterSecret,
  clusterSecretName,
  heldServer,
  holdsTokenOf,
  isImportedSecret,
  isMarkedSecret,
  type ClusterAccess,
  type StoredSecret,
} from './clusterSecret';
export {
  duplicateClusterFinding,
  duplicateClusters,
  supersededSecret,
  type SupersededSecret,
} from './duplicateClusters';
export {
  generatorConfig,
  placementRole,
  placementRoleBinding,
  planGeneratorConfig,
  planRole,
  planRoleBinding,
  type ObjectPlan,
} from './placementGenerator';
export {
  addressProblem,
  clusterAddresses,
  type ForeignAddresses,
} from './serverAddress';
