import type { HealthStatus, OverallState, SyncStatus } from './api.generated';

/**
 * Health statuses in Argo CD's order, best first: the health of several objects together is the worst of theirs.
 * @see https://github.com/argoproj/gitops-engine/blob/master/pkg/health/health.go
 * @public
 */
export const HEALTH_STATUSES = [
  'Healthy',
  'Suspended',
  'Progressing',
  'Missing',
  'Degraded',
  'Unknown',
] as const satisfies readonly HealthStatus[];

/** Sync statuses of Argo CD, best first. @public */
export const SYNC_STATUSES = [
  'Synced',
  'OutOfSync',
  'Unknown',
] as const satisfies readonly SyncStatus[];

/** How far an Application is, best first. @public */
export const OVERALL_STATES = [
  'ok',
  'running',
  'paused',
  'blocked',
  'inTrouble',
] as const satisfies readonly OverallState[];

/** Parses a health status; any value that is not one of Argo CD's is `Unknown`. @public */
export function parseHealthStatus(value: unknown): HealthStatus {
  return HEALTH_STATUSES.find(status => status === value) ?? 'Unknown';
}

/** Parses a sync status; any value that is not one of Argo CD's is `Unknown`. @public */
export function parseSyncStatus(value: unknown): SyncStatus {
  return SYNC_STATUSES.find(status => status === value) ?? 'Unknown';
}

/** The worse of two health statuses, in Argo CD's order. @public */
export function worseHealth(a: HealthStatus, b: HealthStatus): HealthStatus {
  return HEALTH_STATUSES.indexOf(a) >= HEALTH_STATUSES.indexOf(b) ? a : b;
}

/** The worse of two sync statuses. @public */
export function worseSync(a: SyncStatus, b: SyncStatus): SyncStatus {
  return SYNC_STATUSES.indexOf(a) >= SYNC_STATUSES.indexOf(b) ? a : b;
}

/** The worse of two overall states. @public */
export function worseState(a: OverallState, b: OverallState): OverallState {
  return OVERALL_STATES.indexOf(a) >= OVERALL_STATES.indexOf(b) ? a : b;
}
