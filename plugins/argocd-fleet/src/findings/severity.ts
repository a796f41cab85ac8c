import type { Severity } from 'backstage-plugin-argocd-fleet-common';

/** Of no finding, last. */
const MOST_SEVERE_FIRST: readonly (Severity | undefined)[] = [
  'error',
  'warning',
  'info',
  undefined,
];

/** Sort key of a finding's severity, the most severe first: 0 is an error. */
export function severityRank(severity: Severity | undefined): number {
  return MOST_SEVERE_FIRST.indexOf(severity);
}
