import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import { sourceFindings } from '../../model/findings';
import type { SearchError, SearchErrorKind } from './searchClient';
import type { SkippedThings } from './skippedItems';

/** Clusters that a search was about which has no result. */
export interface FailedClusters {
  readonly error: SearchError;
  readonly clusters: readonly string[];
}

/** How one round of searches over a hub's clusters went. */
export interface SearchRound {
  readonly hub: string;
  readonly url: string;
  readonly limit: number;
  /** Clusters that were asked about. */
  readonly clusters: number;
  /** Applications of ours that Search knows. */
  readonly known: number;
  readonly failed: readonly FailedClusters[];
  /** Clusters about which a search of their own reached the limit. */
  readonly cut: readonly string[];
  readonly skipped: SkippedThings;
}

const KIND_NAMES = {
  application: 'Applications',
  related: 'related things',
  condition: 'error messages',
  missing: 'missing resources',
} as const;

/** What is not right about a round. */
export function searchFindings(round: SearchRound): Finding[] {
  const { hub, limit, cut, clusters, known, skipped } = round;
  const kinds = new Set(round.failed.map(({ error }) => error.kind));
  return [
    ...[...kinds].map(kind => failureFinding(kind, round)),
    ...(cut.length > 0
      ? [sourceFindings.searchLimit(hub, someOf(cut), limit)]
      : []),
    ...(skipped.counts.size > 0 ? [malformedFinding(hub, skipped)] : []),
    ...(clusters > 0 && known === 0 && kinds.size === 0 && cut.length === 0
      ? [sourceFindings.searchEmpty(hub, clusters)]
      : []),
  ];
}

function failureFinding(kind: SearchErrorKind, round: SearchRound): Finding {
  const { hub, url } = round;
  const failed = round.failed.filter(({ error }) => error.kind === kind);
  const names = failed.flatMap(({ clusters }) => clusters);
  const count = `${names.length} of ${round.clusters} ${round.clusters === 1 ? 'cluster' : 'clusters'}`;
  const details = { evidence: failed[0].error.message };
  switch (kind) {
    case 'refused':
      return sourceFindings.searchRefused(hub, url, count, details);
    case 'untrusted':
      return sourceFindings.searchUntrusted(hub, url, details);
    case 'unavailable':
      return sourceFindings.searchUnavailable(hub, url, count, details);
    default:
      return sourceFindings.searchFailed(
        hub,
        `${count} (${someOf(names)})`,
        details,
      );
  }
}

function malformedFinding(hub: string, skipped: SkippedThings): Finding {
  const counts = [...skipped.counts].map(
    ([kind, count]) => `${count} (${KIND_NAMES[kind]})`,
  );
  return sourceFindings.searchMalformed(hub, counts.join(', '), {
    evidence: skipped.example,
  });
}

/** The first few names, and how many more there are. */
function someOf(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
