export type { HubAccess, UrlAccess } from './access';
export { addressSchema, certificatesSchema } from './accessConfig';
export {
  objectKey,
  resourceId,
  type HubClient,
  type HubResource,
  type HubSelection,
  type HubWatchEvent,
  type ObjectName,
  type Patch,
  type WriteOptions,
} from './client';
export { createHubConnector, type HubConnection } from './connection';
export { errorMessage } from './errorMessage';
export { HubError, isHubError, type HubErrorKind } from './errors';
export { createHttpHubClient, type HubAnswer } from './httpClient';
export { createRequestGate, type RateLimit } from './rateLimiter';
export { startDeadline } from './requestDeadline';
export { createVersionedHubClient } from './servedVersions';
export { tlsAdvice } from './tlsErrors';
