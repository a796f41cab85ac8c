export { clusterImportFindings } from './clusterImportFindings';
export { findings } from './findings';
export { applyFinding, syncFinding, workloadFinding } from './spokeFindings';
