import type { RecordedState } from 'backstage-plugin-argocd-fleet-common';

/** Whether the cluster of an Application reported at a time. */
export type Reporting = 'reporting' | 'silent';

/** Older records do not say it; they count as reported. */
export function reportingOf(
  state: Pick<RecordedState, 'stale'> | undefined,
): Reporting {
  return state?.stale ? 'silent' : 'reporting';
}
