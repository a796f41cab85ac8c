export { saysMessage } from './keptMessage';
export type { SpecWriter } from './specWriter';
export { transformApplication } from './transformApplication';
export { transformObject } from './transformObject';
export {
  hasContent,
  transformReport,
  type StoredReport,
  type StoredStatuses,
} from './transformReport';
export { configFingerprint, transformSecret } from './transformSecret';
export { transformWork, type StoredManifestWork } from './transformWork';
