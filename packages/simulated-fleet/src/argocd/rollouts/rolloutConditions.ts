import { kubeTime } from '../../kubernetes/objects';
import { RolloutCondition, RolloutStatus } from '../../kubernetes/rolloutTypes';

/** The conditions of a Rollout; unchanged ones keep their times. */
export function rolloutConditions(
  name: string,
  previous: readonly RolloutCondition[],
  { phase, message = '', abort, availableReplicas = 0 }: RolloutStatus,
  now: Date,
): RolloutCondition[] {
  const isHealthy = phase === 'Healthy';
  const isPaused = phase === 'Paused';
  const desired: [string, boolean, string, string][] = [
    [
      'Available',
      availableReplicas > 0,
      'AvailableReason',
      availableReplicas > 0
        ? 'Rollout has minimum availability'
        : 'Rollout does not have minimum availability',
    ],
    [
      'Progressing',
      phase !== 'Degraded',
      ...progress(name, phase, message, abort),
    ],
    [
      'Paused',
      isPaused,
      'RolloutPaused',
      isPaused ? 'Rollout is paused' : 'Rollout is not paused',
    ],
    [
      'Healthy',
      isHealthy,
      isHealthy ? 'RolloutHealthy' : 'RolloutNotHealthy',
      isHealthy ? 'Rollout is healthy' : 'Rollout is not healthy',
    ],
    [
      'Completed',
      isHealthy,
      isHealthy ? 'RolloutCompleted' : 'RolloutNotCompleted',
      isHealthy ? 'Rollout completed update' : 'Rollout not completed',
    ],
  ];
  return desired.map(([type, holds, reason, text]) => {
    const status = holds ? 'True' : 'False';
    const before = previous.find(condition => condition.type === type);
    const same = before?.status === status;
    return {
      type,
      status,
      reason,
      message: text,
      lastUpdateTime:
        before && same && before.message === text
          ? before.lastUpdateTime
          : kubeTime(now),
      lastTransitionTime:
        before && same ? before.lastTransitionTime : kubeTime(now),
    };
  });
}

function progress(
  name: string,
  phase: string | undefined,
  message: string,
  abort: boolean | undefined,
): [string, string] {
  if (abort) {
    return ['RolloutAborted', message.replace(/^RolloutAborted: /, '')];
  }
  switch (phase) {
    case 'Healthy':
      return [
        'NewReplicaSetAvailable',
        `Rollout "${name}" has successfully progressed.`,
      ];
    case 'Paused':
      return ['RolloutPaused', 'Rollout is paused'];
    case 'Degraded':
      return ['ProgressDeadlineExceeded', message];
    default:
      return ['ReplicaSetUpdated', `Rollout "${name}" is progressing.`];
  }
}
