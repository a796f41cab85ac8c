/** Everything that speaks to Kubernetes, and nothing that knows the pull model. */
export { errorMessage } from './errorMessage';
export * from './hubCache';
export * from './hubClient';
export * from './hubConnection';
export * from './hubError';
export * from './hubResources';
export { createHttpHubClient } from './httpHubClient';
export { DEFAULT_REFLECTOR_TIMING, type ReflectorTiming } from './reflector';
