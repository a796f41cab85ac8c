import type {
  ClusterApplication,
  Finding,
} from 'backstage-plugin-argocd-fleet-common';
import { severityRank } from '../findings/severity';

/** Applications of a set that have the same finding. */
export interface Cause {
  /** The same for the same reason, and safe in a URL. */
  readonly id: string;
  readonly title: string;
  /** Finding of the first Application. */
  readonly finding?: Finding;
  /** Cluster of the finding, or its Application where the cluster is unknown. */
  readonly example: string;
  readonly applications: readonly ClusterApplication[];
  /** Number of different clusters. */
  readonly clusters: number;
  /** RFC 3339 time of the earliest failure, where known. */
  readonly since?: string;
}

/** The finding to show for an Application: that of the failed delivery step, or else the first. */
export function findingOf(
  application: ClusterApplication,
): Finding | undefined {
  const found = application.steps.filter(({ finding }) => finding);
  return (found.find(({ state }) => state === 'failed') ?? found[0])?.finding;
}

/**
 * Replaces a cluster's name, as a word or a part of a name such as `<cluster>-guestbook-app`, but not inside another
 * word.
 */
function withoutClusterName(message: string, cluster: string): string {
  if (!cluster) {
    return message;
  }
  const name = cluster.replace(/[^\w-]/g, '\\$&');
  return message.replace(
    new RegExp(`(?<![a-z0-9])${name}(?![a-z0-9])`, 'gi'),
    '…',
  );
}

/** Replaces the parts of a message that differ between clusters: the cluster's name, hashes and numbers. */
export function normalizeMessage(message: string, cluster: string): string {
  return withoutClusterName(message, cluster)
    .replace(/\b(?=[a-f]*\d)[0-9a-f]{7,}\b/gi, '…')
    .replace(/\d+/g, '…')
    .trim();
}

/** A hash of the text, safe in a URL. */
function idOf(code: string, text: string): string {
  let hash = 0;
  for (const character of text) {
    hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 0x7fffffff;
  }
  return `${code}-${hash.toString(36)}`;
}

function reasonOf(
  application: ClusterApplication,
):
  | { readonly id: string; readonly title: string; readonly finding?: Finding }
  | undefined {
  const cluster = application.cluster.name;
  const finding = findingOf(application);
  if (finding) {
    const title = normalizeMessage(finding.title, cluster);
    return { id: idOf(finding.code, title), title: finding.title, finding };
  }
  if (application.error) {
    const text = normalizeMessage(application.error, cluster);
    return { id: idOf('error', text), title: application.error };
  }
  return undefined;
}

/** Identifier of the cause that an application belongs to. */
export function causeIdOf(application: ClusterApplication): string | undefined {
  return reasonOf(application)?.id;
}

function earliest(times: readonly (string | undefined)[]): string | undefined {
  return times
    .filter(time => time !== undefined)
    .sort((a, b) => Date.parse(a) - Date.parse(b))[0];
}

/** Groups failing Applications by their reason: the most severe first, then the most frequent. */
export function findCauses(
  applications: readonly ClusterApplication[],
): Cause[] {
  const groups = new Map<
    string,
    { title: string; finding?: Finding; members: ClusterApplication[] }
  >();
  for (const application of applications) {
    const reason = reasonOf(application);
    if (reason) {
      const group = groups.get(reason.id);
      if (group) {
        group.members.push(application);
      } else {
        groups.set(reason.id, { ...reason, members: [application] });
      }
    }
  }
  return [...groups]
    .map(([id, { title, finding, members }]) => ({
      id,
      title:
        members.length > 1
          ? withoutClusterName(title, members[0].cluster.name)
          : title,
      finding,
      example: members[0].cluster.name || members[0].application.name,
      applications: members,
      clusters: new Set(members.map(({ cluster }) => cluster.name)).size,
      since: earliest(members.map(({ since }) => since)),
    }))
    .sort(
      (a, b) =>
        severityRank(a.finding?.severity ?? 'error') -
          severityRank(b.finding?.severity ?? 'error') ||
        b.clusters - a.clusters ||
        a.title.localeCompare(b.title),
    );
}
