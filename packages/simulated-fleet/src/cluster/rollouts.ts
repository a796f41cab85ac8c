import { ResourceHealth } from '../kubernetes/argocdTypes';
import { Rollout } from '../kubernetes/rolloutTypes';
import { ObjectRef } from './clusterStore';
import { DeployedResource } from './environment';

/** The group and resource of Rollouts in a cluster's store. */
export const ROLLOUTS = { group: 'argoproj.io', resource: 'rollouts' } as const;

/** The health of a Rollout as Argo CD assesses it. */
export function rolloutHealth({ status }: Rollout): ResourceHealth {
  const { phase, message } = status ?? {};
  return {
    status: phase === 'Paused' ? 'Suspended' : (phase ?? 'Progressing'),
    ...(message && { message }),
  };
}

/** True for a reference to a Rollout. */
export function isRolloutRef({ group, resource }: ObjectRef): boolean {
  return group === ROLLOUTS.group && resource === ROLLOUTS.resource;
}

/** True for Rollouts, which the fleet simulates as objects on the cluster. */
export function isRollout({ group, kind }: DeployedResource): boolean {
  return group === ROLLOUTS.group && kind === 'Rollout';
}
