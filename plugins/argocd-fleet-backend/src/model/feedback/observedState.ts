import {
  parseHealthStatus,
  parseSyncStatus,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { manifestKey, observedManifests } from '../delivery';
import type { ApplicationState } from './applicationState';
import { parseRollout, ROLLOUT_CONDITION } from './rolloutExpression';
import {
  conditionOf,
  manifestStatuses,
  statusKey,
  type ManifestStatus,
} from './workStatus';

/** Reads the agent's report about the Rollouts and Applications that a work observes; missing ones are left out. */
export function readObserved(
  work: ManifestWork,
): Pick<ApplicationState, 'rollouts' | 'childApplications'> | undefined {
  const observed = observedManifests(work);
  if (observed.length === 0) {
    return undefined;
  }
  // Reversed: the first of several with one key is meant.
  const statuses = new Map(
    manifestStatuses(work)
      .toReversed()
      .map(status => [statusKey(status), status]),
  );
  const found = observed.flatMap(manifest => {
    const { kind, metadata } = manifest;
    const { namespace = '', name } = metadata;
    const status = statuses.get(manifestKey(manifest));
    return conditionOf(status?.conditions, 'Available')?.status === 'True'
      ? [{ kind, namespace, name, status }]
      : [];
  });
  return {
    rollouts: found
      .filter(({ kind }) => kind === 'Rollout')
      .map(({ namespace, name, status }) => ({
        namespace,
        name,
        ...parseRollout(
          conditionOf(status?.conditions, ROLLOUT_CONDITION)?.message,
        ),
      })),
    childApplications: found
      .filter(({ kind }) => kind === 'Application')
      .map(({ namespace, name, status }) => ({
        namespace,
        name,
        health: parseHealthStatus(valueOf(status, 'healthStatus')),
        sync: parseSyncStatus(valueOf(status, 'syncStatus')),
      })),
  };
}

function valueOf(
  status: ManifestStatus | undefined,
  name: string,
): string | undefined {
  return status?.statusFeedback?.values?.find(value => value.name === name)
    ?.fieldValue.string;
}
