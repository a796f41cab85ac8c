import {
  worseHealth,
  worseSync,
  type ApplicationSetDetail,
  type ClusterApplication,
  type HealthStatus,
  type SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';

/** How far a rollout is. */
export interface RolloutProgress {
  /** Every cluster that was chosen is synced and healthy, and there are enough of them. */
  readonly done: boolean;
  /** Clusters that are synced and healthy, by name. */
  readonly readyClusters: readonly string[];
  /** Clusters that are not, the ones with an error first. */
  readonly otherClusters: readonly ClusterProgress[];
  /** All that in one line. */
  readonly summary: string;
}

/** One cluster, with all that the ApplicationSet put on it taken together: it counts by the worst. */
export interface ClusterProgress {
  readonly name: string;
  readonly health: HealthStatus;
  readonly sync: SyncStatus;
  /** Its agent stopped reporting: its last status proves nothing. */
  readonly stale: boolean;
  readonly error?: string;
  readonly applications: readonly ClusterApplication[];
}

const NAMED_CLUSTERS = 5;

/**
 * Judges a rollout. A cluster counts as ready when it is `Synced` and `Healthy` and still reports; one that is `Suspended` waits
 * for a person and so does the rollout. Clusters that the Placement selects but that have no Application yet are waited for,
 * those that are excluded on purpose are not.
 */
export function rolloutProgress(
  detail: ApplicationSetDetail,
  minimumClusters: number,
): RolloutProgress {
  const clusters = clustersOf(detail.applications);
  const ready = clusters.filter(isReady);
  const others = clusters
    .filter(cluster => !isReady(cluster))
    .sort((a, b) => Number(!a.error) - Number(!b.error));
  const missing = Math.max(0, expectedClusters(detail) - clusters.length);
  const hubReady = detail.hubState.state === 'ready';
  return {
    done:
      hubReady &&
      others.length === 0 &&
      missing === 0 &&
      ready.length >= minimumClusters,
    readyClusters: ready.map(cluster => cluster.name),
    otherClusters: others,
    summary: [
      ...(hubReady ? [] : [hubSummary(detail)]),
      clusters.length === 0
        ? nothingYet(detail)
        : `${ready.length} of ${
            clusters.length + missing
          } clusters synced and healthy`,
      ...others.slice(0, NAMED_CLUSTERS).map(describeCluster),
      ...(others.length > NAMED_CLUSTERS
        ? [`and ${others.length - NAMED_CLUSTERS} more`]
        : []),
      ...(clusters.length > 0 && missing > 0
        ? [`${missing} selected by the Placement without an Application yet`]
        : []),
      ...(clusters.length > 0 && clusters.length + missing < minimumClusters
        ? [`at least ${minimumClusters} are asked for`]
        : []),
    ].join('; '),
  };
}

/** A cluster and what is not right about it: `cluster1: Missing, OutOfSync`. */
export function describeCluster(cluster: ClusterProgress): string {
  const wrong = [
    ...(cluster.health === 'Healthy' ? [] : [cluster.health]),
    ...(cluster.sync === 'Synced' ? [] : [cluster.sync]),
    ...(cluster.stale ? ['not reporting'] : []),
  ];
  return `${cluster.name}: ${wrong.join(', ')}`;
}

function isReady({ health, sync, stale }: ClusterProgress): boolean {
  return health === 'Healthy' && sync === 'Synced' && !stale;
}

function clustersOf(
  applications: readonly ClusterApplication[],
): ClusterProgress[] {
  const clusters = new Map<string, ClusterProgress>();
  for (const application of applications) {
    const { name, stale } = application.cluster;
    const before = clusters.get(name);
    clusters.set(name, {
      name,
      health: worseHealth(before?.health ?? 'Healthy', application.health),
      sync: worseSync(before?.sync ?? 'Synced', application.sync),
      stale,
      error: before?.error ?? application.error,
      applications: [...(before?.applications ?? []), application],
    });
  }
  return [...clusters.values()];
}

function expectedClusters(detail: ApplicationSetDetail): number {
  if (!detail.placement) {
    return 0;
  }
  const excluded = new Set(detail.excluded.map(({ cluster }) => cluster));
  for (const { cluster } of detail.applications) {
    excluded.delete(cluster.name);
  }
  return detail.placement.decisions - excluded.size;
}

function hubSummary({ hubState }: ApplicationSetDetail): string {
  const why = hubState.message ? `: ${hubState.message}` : '';
  return `the hub "${hubState.name}" is ${hubState.state}${why}, so what is known may be old`;
}

function nothingYet(detail: ApplicationSetDetail): string {
  const { placement } = detail;
  if (!placement) {
    return 'no Applications yet';
  }
  const expected = expectedClusters(detail);
  if (expected > 0) {
    return `the Placement ${placement.name} selects ${expected} clusters; waiting for their Applications`;
  }
  return placement.decisions > 0
    ? `the Placement ${placement.name} selects only clusters that are excluded: ${detail.excluded
        .map(({ cluster, reason }) => `${cluster} (${reason})`)
        .join(', ')}`
    : `waiting for the Placement ${placement.name} to select a cluster`;
}
