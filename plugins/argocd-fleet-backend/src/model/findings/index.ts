// What can be wrong, and what to do? One file for each range of codes: 1xx is shown on one Application (13x: others write
// what the controllers write, or seem to) and 2xx on its cluster, 3xx on a whole ApplicationSet, 40x on the hub, 41x and
// 42x on a controller, 43x on a resource source, 44x on the catalog, 5xx on a GitOpsCluster. `errorRecognition.ts` turns
// error texts of Argo CD and Kubernetes into findings; `argocdMessage.ts` reads where Argo CD says that they arose.
// docs/findings/ describes every code.

export { applicationFindings } from './applicationFindings';
export { applicationSetFindings } from './applicationSetFindings';
export { argocdFindings } from './argocdFindings';
export { catalogFindings } from './catalogFindings';
export { FINDINGS, revealedBy } from './catalogue';
export { clusterFindings } from './clusterFindings';
export { clusterImportFindings } from './clusterImportFindings';
export { controllerFindings } from './controllerFindings';
export {
  applyFinding,
  clusterFault,
  deletionFinding,
  hydrationFinding,
  isClusterFault,
  presentErrorFinding,
  promotionFinding,
  rejectionFinding,
  syncFinding,
  workloadFinding,
  type ArgocdFacts,
} from './errorRecognition';
export { hubFindings } from './hubFindings';
export { removalFindings } from './removalFindings';
export {
  longWaitFinding,
  longWaitFrom,
  retriedOperationFinding,
  waitingOperationFinding,
} from './retriedOperation';
export { shownNames } from './shownNames';
export { sourceFindings } from './sourceFindings';
export { writerFindings } from './writerFindings';
export { unreadableFinding } from './unreadableFinding';
