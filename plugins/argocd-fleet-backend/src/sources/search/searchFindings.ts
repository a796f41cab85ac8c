import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import { sourceFindings } from '../../model/findings';
import type { SearchError, SearchErrorKind } from './searchClient';
import type { SkippedItems } from './skippedItems';

/** Clusters of a failed search. */
export interface FailedClusters {
  readonly error: SearchError;
  readonly clusters: readonly string[];
}

/** Outcome of one round of searches for all clusters of a hub. */
export interface SearchRound {
  readonly hub: string;
  readonly url: string;
  readonly limit: number;
  /** Number of clusters that were queried. */
  readonly clusters: number;
  /** Number of our Applications that Search has. */
  readonly known: number;
  readonly failed: readonly FailedClusters[];
  /** Clusters that reach the limit in a search of their own. */
  readonly overLimit: readonly string[];
  readonly skipped: SkippedItems;
}

const KIND_NAMES = {
  application: 'Applications',
  related: 'related items',
  condition: 'error messages',
  missing: 'missing resources',
} as const;

/** Findings about a round. */
export function searchFindings(round: SearchRound): Finding[] {
  const { hub, limit, overLimit, clusters, known, skipped } = round;
  const kinds = new Set(round.failed.map(({ error }) => error.kind));
  return [
    ...[...kinds].map(kind => failureFinding(kind, round)),
    ...(overLimit.length > 0
      ? [sourceFindings.searchLimit(hub, someOf(overLimit), limit)]
      : []),
    ...(skipped.counts.size > 0 ? [malformedFinding(hub, skipped)] : []),
    ...(clusters > 0 &&
    known === 0 &&
    kinds.size === 0 &&
    overLimit.length === 0
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

function malformedFinding(hub: string, skipped: SkippedItems): Finding {
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
