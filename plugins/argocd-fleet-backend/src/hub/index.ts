/** Everything that speaks to Kubernetes, and nothing that knows the pull model. */
export { errorMessage } from './errorMessage';
export * from './hubCache';
export * from './hubClient';
export { isLoopbackHttp, type HubAccess, type UrlAccess } from './hubAccess';
export * from './hubConnection';
export * from './hubError';
export * from './hubResources';
export { saysMessage } from './keptMessage';
export { createVersionedHubClient } from './servedVersions';
export { hasContent, slimReport } from './slimReport';
export { createStructurePool } from './structureSharing';
export { configFingerprint } from './slimSecret';
export { createHttpHubClient, type HubAnswer } from './httpHubClient';
export {
  DEFAULT_REFLECTOR_TIMING,
  type HubReading,
  type ReflectorTiming,
} from './reflector';
export { createRequestGate, type RateLimit } from './requestGate';
export * from './otherWriter';
