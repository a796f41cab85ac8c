import type {
  Condition,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { manifestKey, observedManifests } from '../delivery';
import {
  applicationStatusOf,
  conditionOf,
  manifestStatuses,
  statusKey,
  type ManifestStatus,
} from './workStatus';

/**
 * Condition `Applied` of an Application: the manifest's contains the reason of a failure, the work's only that some
 * manifest failed.
 */
export function appliedCondition(
  work: ManifestWork,
  manifest: ManifestStatus | undefined,
): Condition | undefined {
  const own = conditionOf(manifest?.conditions, 'Applied');
  const whole = conditionOf(work.status?.conditions, 'Applied');
  if (own?.status !== 'True' || whole?.status !== 'False') {
    return own?.status === 'False' ? own : whole;
  }
  // A failure of observed objects is none of the Application, even if the cluster does not know their kind.
  return onlyObservedFailed(work)
    ? { ...own, observedGeneration: whole.observedGeneration }
    : whole;
}

/** Whether the agent has applied the work as it is now. */
export function isApplied(work: ManifestWork): boolean {
  const applied = appliedCondition(work, applicationStatusOf(work));
  return (
    applied?.status === 'True' &&
    applied.observedGeneration === work.metadata.generation
  );
}

function onlyObservedFailed(work: ManifestWork): boolean {
  const observed = new Set(observedManifests(work).map(manifestKey));
  return manifestStatuses(work)
    .filter(
      ({ conditions }) =>
        conditionOf(conditions, 'Applied')?.status === 'False',
    )
    .every(status => observed.has(statusKey(status)));
}
