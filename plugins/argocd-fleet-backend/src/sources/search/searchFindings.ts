import type { Finding } from 'backstage-plugin-argocd-fleet-common';
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

const KEPT = 'What Search said of them before is shown until it answers again.';

const KIND_NAMES = {
  application: 'Applications',
  related: 'related things',
  condition: 'error messages',
  missing: 'missing resources',
} as const;

/** What is not right about a round. */
export function searchFindings(round: SearchRound): Finding[] {
  const { hub, limit, overLimit: cut, clusters, known, skipped } = round;
  const kinds = new Set(round.failed.map(({ error }) => error.kind));
  return [
    ...[...kinds].map(kind => failureFinding(kind, round)),
    ...(cut.length > 0 ? [limitFinding(hub, limit, cut)] : []),
    ...(skipped.counts.size > 0 ? [malformedFinding(hub, skipped)] : []),
    ...(clusters > 0 && known === 0 && kinds.size === 0 && cut.length === 0
      ? [nothingKnownFinding(round)]
      : []),
  ];
}

function failureFinding(kind: SearchErrorKind, round: SearchRound): Finding {
  const { hub, url } = round;
  const failed = round.failed.filter(({ error }) => error.kind === kind);
  const names = failed.flatMap(({ clusters }) => clusters);
  const count = `${names.length} of ${round.clusters} ${round.clusters === 1 ? 'cluster' : 'clusters'}`;
  const common = { evidence: failed[0].error.message };
  switch (kind) {
    case 'refused':
      return {
        ...common,
        code: 'AFC-431',
        severity: 'error',
        title: `Search of hub ${hub} does not accept our token`,
        message: `RHACM’s Search at ${url} refused to answer about ${count}: the token is missing, has expired, or is none of this hub. ${KEPT}`,
        fix: {
          description: `Give argocdFleet.hubs[].search.tokenFile (or token) the token of a service account of this hub that may see all managed data in Search; a file may be renewed while we run:`,
          command:
            'kubectl create token argocd-fleet-search -n argocd-fleet --duration=24h',
        },
      };
    case 'untrusted':
      return {
        ...common,
        code: 'AFC-432',
        severity: 'error',
        title: `The certificate of Search of hub ${hub} is not trusted`,
        message: `The connection to ${url} was not made, so that nobody else answers in its place. ${KEPT}`,
        fix: {
          description:
            'Set argocdFleet.hubs[].search.caFile (or caData) to the CA that signed it, and the address to a name that the certificate is for. Inside OpenShift the CA of services is this file in every pod:',
          command:
            '/var/run/secrets/kubernetes.io/serviceaccount/service-ca.crt',
        },
      };
    case 'unavailable':
      return {
        ...common,
        code: 'AFC-433',
        severity: 'warning',
        title: `Search of hub ${hub} does not answer`,
        message: `RHACM’s Search at ${url} gave no answer in time about ${count}. ${KEPT}`,
        fix: {
          description:
            'See whether Search runs and can be reached from here. Where it is merely slow, ask for less at once (argocdFleet.hubs[].search.batchSize, concurrency) or wait longer (timeout).',
          command: 'kubectl get pods -A | grep search-',
        },
      };
    default:
      return {
        ...common,
        code: 'AFC-434',
        severity: 'warning',
        title: `Search of hub ${hub} failed for a part of the fleet`,
        message: `RHACM’s Search has no result for ${count} (${someOf(names)}). ${KEPT}`,
        fix: {
          description:
            'The evidence is what Search says; its own log tells more. Where its database takes too long, a smaller argocdFleet.hubs[].search.batchSize helps.',
        },
      };
  }
}

function limitFinding(
  hub: string,
  limit: number,
  clusters: readonly string[],
): Finding {
  return {
    code: 'AFC-436',
    severity: 'warning',
    title: `Search of hub ${hub} knows more than it may answer`,
    message: `The Applications of ${someOf(clusters)}, or all that is related to them, are as many as one answer may hold (${limit}), even for one cluster alone. Errors are shown as far as they came; the list of resources is left out rather than shown with gaps.`,
    fix: {
      description:
        'Raise argocdFleet.hubs[].search.limit. Replica sets and pods count too.',
    },
  };
}

function malformedFinding(hub: string, skipped: SkippedItems): Finding {
  const counts = [...skipped.counts].map(
    ([kind, count]) => `${count} (${KIND_NAMES[kind]})`,
  );
  return {
    code: 'AFC-435',
    severity: 'warning',
    title: `Search of hub ${hub} answers with things that cannot be read`,
    message: `In the last round these were left out, and everything else was taken: ${counts.join(', ')}. An Application that could not be read shows what Search said of it before.`,
    fix: {
      description:
        'The evidence is the first of them. If this version of RHACM writes its index so, report it as a bug.',
    },
    evidence: skipped.example,
  };
}

function nothingKnownFinding({ hub, clusters }: SearchRound): Finding {
  return {
    code: 'AFC-437',
    severity: 'info',
    title: `Search of hub ${hub} shows us no Application`,
    message: `RHACM’s Search answers, and has none of our Applications on ${clusters} ${clusters === 1 ? 'cluster' : 'clusters'}: it leaves out what an account may not see, without a word, and what its collectors have not sent yet.`,
    fix: {
      description:
        'For the account of our token, see whether this says yes; else give it the ClusterRole of docs/installation.md. Then see whether the add-on search-collector runs on the clusters.',
      command:
        'kubectl auth can-i get searches.search.open-cluster-management.io --subresource=allManagedData --as=system:serviceaccount:argocd-fleet:argocd-fleet-search',
    },
  };
}

/** The first few names, and how many more there are. */
function someOf(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
