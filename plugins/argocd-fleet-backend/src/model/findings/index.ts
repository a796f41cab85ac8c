export { applicationFindings } from './applicationFindings';
export { applicationSetFindings } from './applicationSetFindings';
export { FINDINGS } from './catalogue';
export { clusterFindings } from './clusterFindings';
export { clusterImportFindings } from './clusterImportFindings';
export { controllerFindings } from './controllerFindings';
export { applyFinding, syncFinding, workloadFinding } from './errorRecognition';
export { hubFindings } from './hubFindings';
export { sourceFindings } from './sourceFindings';
