import type {
  ClusterApplication,
  Finding,
} from 'backstage-plugin-argocd-fleet-common';

/** How much something matters; undefined where nothing is wrong. */
export type Severity = Finding['severity'] | undefined;

const MOST_SEVERE_FIRST: readonly Severity[] = [
  'error',
  'warning',
  'info',
  undefined,
];

/** Place in the order of urgency: 0 is an error. */
export function severityRank(severity: Severity): number {
  return MOST_SEVERE_FIRST.indexOf(severity);
}

export function mostSevere(severities: readonly Severity[]): Severity {
  return MOST_SEVERE_FIRST.find(severity => severities.includes(severity));
}

/**
 * How urgent one Application on one cluster is: as its findings say, as its error and its status say where there are none, and
 * never less than a warning on a cluster that fell silent, whatever it said last.
 */
export function rowSeverityOf(row: ClusterApplication): Severity {
  const found = row.steps.map(({ finding }) => finding?.severity);
  return mostSevere([
    mostSevere(found) ?? (row.error ? 'error' : statusSeverityOf(row)),
    row.cluster.stale ? 'warning' : undefined,
  ]);
}

function statusSeverityOf({ health, sync }: ClusterApplication): Severity {
  switch (health) {
    case 'Degraded':
    case 'Missing':
      return 'error';
    case 'Unknown':
      return 'warning';
    case 'Progressing':
    case 'Suspended':
      return 'info';
    default:
      return sync === 'Synced' ? undefined : 'warning';
  }
}
