import {
  OVERALL_STATES,
  SYNC_STATUSES,
  type HealthStatus,
  type OverallState,
  type StatusSummary,
  type SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';
import {
  HEALTH_PRESENTATION,
  STATE_PRESENTATION,
  SYNC_PRESENTATION,
  type Presentation,
} from './presentation';

/** What a bar is about. */
export type BarSubject = 'state' | 'health' | 'sync';

/** One part of a ratio bar. */
export interface Segment {
  /** Key of the status in words, in the messages. */
  readonly word:
    | `state.${OverallState}`
    | `health.${HealthStatus}`
    | `sync.${SyncStatus}`
    | `tiles.${HealthStatus | 'OutOfSync' | 'SyncUnknown'}`;
  readonly of: Presentation;
  /** Number of clusters. */
  readonly count: number;
  /** Number of those that are stale: their status is the last known one. */
  readonly stale: number;
}

/** Display order: from the best to the worst, then unknown. */
const HEALTH_ORDER: readonly HealthStatus[] = [
  'Healthy',
  'Progressing',
  'Suspended',
  'Degraded',
  'Missing',
  'Unknown',
];

/** Clusters by how far they are: the one bar that is all red when nothing can be deployed. */
export function stateSegments({
  state,
}: Pick<StatusSummary, 'state'>): Segment[] {
  return OVERALL_STATES.filter(name => state[name] > 0).map(name => ({
    word: `state.${name}`,
    of: STATE_PRESENTATION[name],
    count: state[name],
    stale: 0,
  }));
}

export function healthSegments({
  health,
  staleHealth,
}: StatusSummary): Segment[] {
  return HEALTH_ORDER.filter(status => health[status] > 0).map(status => ({
    word: `health.${status}`,
    of: HEALTH_PRESENTATION[status],
    count: health[status],
    stale: Math.min(staleHealth[status] ?? 0, health[status]),
  }));
}

export function syncSegments({ sync }: StatusSummary): Segment[] {
  return SYNC_STATUSES.filter(status => sync[status] > 0).map(status => ({
    word: `sync.${status}`,
    of: SYNC_PRESENTATION[status],
    count: sync[status],
    stale: 0,
  }));
}

/** What is not as it should be: clusters by each status but Healthy and Synced, in words that name sync or health. */
export function exceptionSegments(summary: StatusSummary): Segment[] {
  const { health, sync } = summary;
  const segment = (
    name: HealthStatus | 'OutOfSync' | 'SyncUnknown',
    of: Presentation,
    count: number,
  ): Segment => ({ word: `tiles.${name}`, of, count, stale: 0 });
  return [
    segment('SyncUnknown', SYNC_PRESENTATION.Unknown, sync.Unknown),
    segment('OutOfSync', SYNC_PRESENTATION.OutOfSync, sync.OutOfSync),
    ...HEALTH_ORDER.filter(status => status !== 'Healthy').map(status =>
      segment(status, HEALTH_PRESENTATION[status], health[status]),
    ),
  ].filter(({ count }) => count > 0);
}
