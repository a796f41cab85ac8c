/**
 * What the embedded hub, the simulated fleet and the fault proxy share, as
 * k8s.io/apimachinery is shared by servers and clients of Kubernetes.
 *
 * @packageDocumentation
 */
export { apiVersionOf, groupOf, versionOf } from './groupVersion';
export { compileJsonPath, findJsonPath, goType } from './jsonpath/findJsonPath';
export { withoutJsonPath } from './jsonpath/withoutJsonPath';
export { kubeconfigFor, writeKubeconfig } from './kubeconfig';
export { listen } from './listen';
export { forLocalClients } from './localClients';
export {
  labelNameProblem,
  labelValueProblem,
  pathSegmentProblem,
  qualifiedNameProblem,
  subdomainProblem,
} from './names';
export { nextTurn } from './nextTurn';
export { equalJson, isJsonObject } from './objects';
export type {
  JsonObject,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
} from './objects';
export { pollUntil } from './pollUntil';
export { parseRequestInfo } from './requestInfo';
export type { RequestInfo } from './requestInfo';
export { failureStatus, qualifiedName } from './status';
export type { Status, StatusCause, StatusDetails } from './status';
export { kubeTime } from './time';
