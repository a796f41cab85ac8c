// What the cache stores of each object, as client-go's TransformFunc: pure functions that drop what nothing reads. The
// `Stored…` types say what is left, so that nothing reads a field that is not there.

export { readableOf, SHAPES } from './shapes';
export { saysMessage } from './keptMessage';
export type { SpecWriter } from './specWriter';
export {
  transformApplication,
  type StoredApplication,
} from './transformApplication';
export { transformDeployment } from './transformDeployment';
export { transformObject, transformReported } from './transformObject';
export {
  hasContent,
  transformReport,
  type StoredReport,
  type StoredStatuses,
} from './transformReport';
export { configFingerprint, transformSecret } from './transformSecret';
export { transformWork, type StoredManifestWork } from './transformWork';
