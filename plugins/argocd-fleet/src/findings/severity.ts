import type {
  ClusterApplication,
  Finding,
} from 'backstage-plugin-argocd-fleet-common';

/** Severity of a finding; undefined where nothing is wrong. */
export type Severity = Finding['severity'] | undefined;

const MOST_SEVERE_FIRST: readonly Severity[] = [
  'error',
  'warning',
  'info',
  undefined,
];

/** Sort key of a severity, the most severe first: 0 is an error. */
export function severityRank(severity: Severity): number {
  return MOST_SEVERE_FIRST.indexOf(severity);
}

export function mostSevere(severities: readonly Severity[]): Severity {
  return MOST_SEVERE_FIRST.find(severity => severities.includes(severity));
}

/**
 * Severity of one Application on one cluster: that of its findings or, without findings, of its error and status; at
 * least a warning on a stale cluster.
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
