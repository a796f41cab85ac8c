export { followArgoNamespaces } from './argoNamespaces';
export { createClusterImport } from './clusterImport';
