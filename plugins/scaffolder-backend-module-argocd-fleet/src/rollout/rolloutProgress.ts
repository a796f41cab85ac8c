import {
  worseHealth,
  worseSync,
  type ApplicationSetDetail,
  type ClusterApplication,
  type Finding,
  type HealthStatus,
  type SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';
import { setFindings } from './blockers';

/** How far a rollout is. */
export interface RolloutProgress {
  /** Every cluster that was chosen is synced and healthy, and there are enough of them. */
  readonly done: boolean;
  /** Clusters that are synced and healthy, by name. */
  readonly readyClusters: readonly string[];
  /** Clusters that are not, the ones with an error first. */
  readonly otherClusters: readonly ClusterProgress[];
  /** Why what is shown may not be what is; undefined where it is. */
  readonly doubt?: string;
  /** How many clusters are ready, in one line. */
  readonly headline: string;
  /** All that in one line, with the clusters that are not ready, and what is wrong. */
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
/** Characters of a reason in a line of the log; the message of a failure has it in full. */
const REASON_LENGTH = 240;

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
  const doubt = doubtOf(detail);
  const findings = setFindings(detail);
  const headline = [
    ...(doubt ? [doubt] : []),
    clusters.length === 0
      ? nothingYet(detail)
      : `${ready.length} of ${
          clusters.length + missing
        } clusters synced and healthy`,
    ...(clusters.length > 0 && missing > 0
      ? [`${missing} selected by the Placement without an Application yet`]
      : []),
    ...(clusters.length > 0 && clusters.length + missing < minimumClusters
      ? [`at least ${minimumClusters} are asked for`]
      : []),
  ].join('; ');
  return {
    done:
      doubt === undefined &&
      others.length === 0 &&
      missing === 0 &&
      ready.length >= minimumClusters &&
      // A set that cannot generate leaves its clusters healthy, with what they had before.
      findings.every(({ severity }) => severity !== 'error'),
    readyClusters: ready.map(cluster => cluster.name),
    otherClusters: others,
    doubt,
    headline,
    summary: [
      headline,
      ...findings.map(describeSetFinding),
      ...others.slice(0, NAMED_CLUSTERS).map(describeClusterWithReason),
      ...(others.length > NAMED_CLUSTERS
        ? [`and ${others.length - NAMED_CLUSTERS} more`]
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

/** Adds why: `cluster1: Unknown (Unknown revision or path: unable to resolve 'nope' to a commit SHA)`. */
function describeClusterWithReason(cluster: ClusterProgress): string {
  const findings = cluster.applications
    .flatMap(({ steps }) => steps)
    // What stopped it comes before what only went wrong on the way, as in its error.
    .sort((a, b) => Number(a.state !== 'failed') - Number(b.state !== 'failed'))
    .flatMap(({ finding }) =>
      finding && finding.severity !== 'info' ? [finding] : [],
    );
  const finding =
    findings.find(({ severity }) => severity === 'error') ?? findings[0];
  // Argo CD's own word for it, and the title of a finding that says no more, need not stand there twice.
  const title = finding?.title === cluster.health ? undefined : finding?.title;
  const reason = inOneLine(title, cluster.error ?? finding?.evidence);
  return `${describeCluster(cluster)}${reason && ` (${reason})`}`;
}

function describeSetFinding({ title, evidence }: Finding): string {
  return inOneLine(title, evidence);
}

function inOneLine(...parts: readonly (string | undefined)[]): string {
  const text = parts.filter(Boolean).join(': ').replace(/\s+/g, ' ');
  return text.length > REASON_LENGTH
    ? `${text.slice(0, REASON_LENGTH)}…`
    : text;
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

/** Kinds, as the API names them, without which nothing can be said of a rollout. */
const READ_ALWAYS = ['applicationsets', 'applications'];
const READ_FOR_PULL = ['manifestworks', 'managedclusters'];
const READ_FOR_PLACEMENTS = ['placements', 'placementdecisions'];

/** Why what is shown may not be what is; undefined where it is. */
function doubtOf(detail: ApplicationSetDetail): string | undefined {
  const { deliveryModel, hubState, placement } = detail;
  if (hubState.state !== 'ready') {
    const why = hubState.message ? `: ${hubState.message}` : '';
    return `the hub "${hubState.name}" is ${hubState.state}${why}, so what is known may be old`;
  }
  const needed = [
    ...READ_ALWAYS,
    ...(deliveryModel === 'pull' ? READ_FOR_PULL : []),
    ...(placement ? READ_FOR_PLACEMENTS : []),
  ];
  const unread = needed.filter(kind => hubState.unread?.includes(kind));
  return unread.length > 0
    ? `the hub "${hubState.name}" does not let us read ${unread.join(' and ')}, so what is known may be old or incomplete`
    : undefined;
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
