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
  clusterIdentities,
  clusterSecret,
  isImportedSecret,
  isMarkedSecret,
  type ClusterAccess,
} from './clusterSecret';
export {
  generatorConfig,
  placementRole,
  placementRoleBinding,
  planGeneratorConfig,
  planRole,
  planRoleBinding,
  type ObjectPlan,
} from './placementGenerator';
