// A client of any Kubernetes API server: connection, requests, errors by what to do about them, rate limiter. It knows
// neither the pull model nor this plugin's resources. `createHttpClient` is the main entry.

export { MAX_ANSWER_BYTES, readBoundedText } from './boundedText';
export type { ConnectionConfig, UrlAccess } from './access';
export { addressSchema, certificatesSchema } from './accessConfig';
export {
  objectKey,
  parseKey,
  resourceId,
  type KubernetesClient,
  type ResourceType,
  type ObjectSelector,
  type WatchEvent,
  type ObjectName,
  type Patch,
  type WriteOptions,
} from './client';
export { createConnector, type Connection } from './connection';
export { errorMessage } from './errorMessage';
export {
  KubernetesError,
  isKubernetesError,
  type KubernetesErrorKind,
} from './errors';
export { TooDeepError, parseExactJson } from './exactJson';
export { findObject } from './findObject';
export { createHttpClient } from './httpClient';
export { listAll, listPages } from './listPages';
export { createRateLimiter } from './rateLimiter';
export type { RateLimit } from './tokens';
export type { CompletedRequest } from './requestSender';
export { startDeadline } from './requestDeadline';
export { createVersionedClient } from './servedVersions';
export { adviceForTlsError } from './tlsErrors';
export { withoutContent } from './unreadable';
