import {
  worseHealth,
  worseSync,
  type ApplicationSetDetail,
  type ClusterApplication,
  type HealthStatus,
  type SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';
import { applicationSetFindings } from './blockers';

/** The state of a rollout at one moment. */
export interface RolloutProgress {
  /** Every selected cluster is synced and healthy, and there are at least as many as required. */
  readonly done: boolean;
  /** Names of the clusters that are synced and healthy. */
  readonly readyClusters: readonly string[];
  /** The other clusters, those with an error first. */
  readonly otherClusters: readonly ClusterProgress[];
  /** Why the API's data may be outdated or incomplete; undefined when it is neither. */
  readonly unreliableBecause?: string;
  /** One line: how many clusters are ready. */
  readonly headline: string;
  /** One line: the headline, the findings, and the clusters that are not ready with the reason. */
  readonly summary: string;
}

/** One cluster with all its Applications of the ApplicationSet; its health and sync status are the worst of theirs. */
export interface ClusterProgress {
  readonly name: string;
  readonly health: HealthStatus;
  readonly sync: SyncStatus;
  /** The cluster's agent stopped reporting, so the last status may no longer be true. */
  readonly stale: boolean;
  readonly error?: string;
  readonly applications: readonly ClusterApplication[];
}

const MAX_NAMED_CLUSTERS = 5;
/** Characters of a reason in a line of the log; the message of a failure has it in full. */
const MAX_REASON_LENGTH = 240;

/**
 * The progress of a rollout. A cluster is ready when it is `Synced` and `Healthy` and its agent still reports.
 * `Suspended` is not ready: a person has to resume it. The rollout waits for selected clusters that have no Application
 * yet, but not for clusters that are excluded on purpose.
 */
export function rolloutProgress(
  detail: ApplicationSetDetail,
  minimumClusters: number,
): RolloutProgress {
  const clusters = groupByCluster(detail.applications);
  const ready = clusters.filter(isReady);
  const others = clusters
    .filter(cluster => !isReady(cluster))
    .sort((a, b) => Number(!a.error) - Number(!b.error));
  const missing = Math.max(0, expectedClusters(detail) - clusters.length);
  const unreliableBecause = whyUnreliable(detail);
  const findings = applicationSetFindings(detail);
  const headline = [
    ...(unreliableBecause ? [unreliableBecause] : []),
    clusters.length === 0
      ? describeEmptyRollout(detail)
      : `${ready.length} of ${
          clusters.length + missing
        } clusters synced and healthy`,
    ...(clusters.length > 0 && missing > 0
      ? [`${missing} selected by the Placement without an Application yet`]
      : []),
    ...(clusters.length > 0 && clusters.length + missing < minimumClusters
      ? [`at least ${minimumClusters} are required`]
      : []),
  ].join('; ');
  return {
    done:
      unreliableBecause === undefined &&
      others.length === 0 &&
      missing === 0 &&
      ready.length >= minimumClusters &&
      // An ApplicationSet that cannot generate leaves its clusters healthy, in their previous state.
      findings.every(({ severity }) => severity !== 'error'),
    readyClusters: ready.map(cluster => cluster.name),
    otherClusters: others,
    unreliableBecause,
    headline,
    summary: [
      headline,
      ...findings.map(({ title, evidence }) => inOneLine(title, evidence)),
      ...others.slice(0, MAX_NAMED_CLUSTERS).map(describeClusterWithReason),
      ...(others.length > MAX_NAMED_CLUSTERS
        ? [`and ${others.length - MAX_NAMED_CLUSTERS} more`]
        : []),
    ].join('; '),
  };
}

/** A cluster and what is wrong with it: `cluster1: Missing, OutOfSync`. */
export function describeCluster(cluster: ClusterProgress): string {
  const wrong = [
    ...(cluster.health === 'Healthy' ? [] : [cluster.health]),
    ...(cluster.sync === 'Synced' ? [] : [cluster.sync]),
    ...(cluster.stale ? ['not reporting'] : []),
  ];
  return `${cluster.name}: ${wrong.join(', ')}`;
}

/**
 * The same with the reason: `cluster1: Unknown (Unknown revision or path: unable to resolve 'nope' to a commit SHA)`.
 */
function describeClusterWithReason(cluster: ClusterProgress): string {
  const findings = cluster.applications
    .flatMap(({ steps }) => steps)
    // A step that failed explains more than one that had only a failed attempt; the API's `error` has the same order.
    .sort((a, b) => Number(a.state !== 'failed') - Number(b.state !== 'failed'))
    .flatMap(({ finding }) =>
      finding && finding.severity !== 'info' ? [finding] : [],
    );
  const finding =
    findings.find(({ severity }) => severity === 'error') ?? findings[0];
  // Some findings have the health status as their title: do not repeat it.
  const title = finding?.title === cluster.health ? undefined : finding?.title;
  const reason = inOneLine(title, cluster.error ?? finding?.evidence);
  return `${describeCluster(cluster)}${reason && ` (${reason})`}`;
}

function inOneLine(...parts: readonly (string | undefined)[]): string {
  const text = parts.filter(Boolean).join(': ').replace(/\s+/g, ' ');
  return text.length > MAX_REASON_LENGTH
    ? `${text.slice(0, MAX_REASON_LENGTH)}…`
    : text;
}

function isReady({ health, sync, stale }: ClusterProgress): boolean {
  return health === 'Healthy' && sync === 'Synced' && !stale;
}

function groupByCluster(
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

/** Resources, as the API names them, that must be readable to judge a rollout. */
const NEEDED_ALWAYS = ['applicationsets', 'applications'];
const NEEDED_FOR_PULL = ['manifestworks', 'managedclusters'];
const NEEDED_FOR_PLACEMENTS = ['placements', 'placementdecisions'];

function whyUnreliable(detail: ApplicationSetDetail): string | undefined {
  const { deliveryModel, deliveryModels, hubState, placement } = detail;
  const isPulled = deliveryModels
    ? deliveryModels.some(({ model }) => model === 'pull')
    : deliveryModel === 'pull';
  if (hubState.state !== 'ready') {
    const why = hubState.message ? `: ${hubState.message}` : '';
    return `the hub "${hubState.name}" is ${hubState.state}${why}, so this may be outdated`;
  }
  const needed = [
    ...NEEDED_ALWAYS,
    ...(isPulled ? NEEDED_FOR_PULL : []),
    ...(placement ? NEEDED_FOR_PLACEMENTS : []),
  ];
  const unread = needed.filter(kind => hubState.unread?.includes(kind));
  return unread.length > 0
    ? `the hub "${hubState.name}" does not let the backend read ${unread.join(' and ')}, so this may be outdated or incomplete`
    : undefined;
}

function describeEmptyRollout(detail: ApplicationSetDetail): string {
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
