export { watchArgoNamespaces } from './argoNamespaces';
export { createClusterImport } from './clusterImport';
