import { createHash } from 'node:crypto';

import { stableJson } from '../../kubernetes/json';
import { kubeTime } from '../../kubernetes/objects';
import {
  CanaryStep,
  Rollout,
  RolloutStatus,
} from '../../kubernetes/rolloutTypes';

/** The hash of a Rollout's pod template. */
export function podHash({ spec }: Rollout): string {
  return shortHash(spec?.template ?? {});
}

/** The canary steps of a Rollout, none for blue-green. */
export function stepsOf({ spec }: Rollout): readonly CanaryStep[] {
  return spec?.strategy?.canary?.steps ?? [];
}

/** Clears pauses and aborts. */
const NOT_PAUSED: RolloutStatus = {
  controllerPause: undefined,
  pauseConditions: undefined,
  abort: undefined,
  abortedAt: undefined,
};

/** The Rollout waits for new pods; also the start of a retry. */
export const PROGRESSING: RolloutStatus = {
  ...NOT_PAUSED,
  phase: 'Progressing',
  message: 'more replicas need to be updated',
};

/** The status after the pod template changed, to a new one or back to the stable one. */
export function updateStarted(rollout: Rollout): RolloutStatus {
  const { status = {}, spec } = rollout;
  const hash = podHash(rollout);
  const common = {
    ...PROGRESSING,
    promoteFull: undefined,
    currentPodHash: hash,
    replicas: spec?.replicas ?? 1,
    updatedReplicas: 0,
  };
  if (spec?.strategy?.blueGreen) {
    const activeSelector = status.stableRS ?? hash;
    return { ...common, blueGreen: { activeSelector, previewSelector: hash } };
  }
  // Without a stable version, Argo Rollouts skips the steps.
  const isUpdate = status.stableRS !== undefined && status.stableRS !== hash;
  return {
    ...common,
    currentStepIndex: isUpdate ? 0 : stepsOf(rollout).length,
    currentStepHash: shortHash(stepsOf(rollout)),
    ...(isUpdate && trafficWeight(rollout, 0)),
  };
}

/** The status after a canary has reached the step `index`; a pause starts at once. */
export function stepEntered(
  rollout: Rollout,
  index: number,
  now: Date,
): RolloutStatus {
  const step: CanaryStep | undefined = stepsOf(rollout)[index];
  return {
    ...PROGRESSING,
    currentStepIndex: index,
    ...(step?.pause && updatePaused('CanaryPauseStep', now)),
  };
}

/** The status after the controller has paused, for a duration or until a promotion. */
export function updatePaused(reason: string, now: Date): RolloutStatus {
  return {
    phase: 'Paused',
    message: reason,
    controllerPause: true,
    pauseConditions: [{ reason, startTime: kubeTime(now) }],
  };
}

/** The status after all pods have the current template, which becomes the stable one. */
export function updateCompleted(rollout: Rollout): RolloutStatus {
  const { spec } = rollout;
  const hash = podHash(rollout);
  const replicas = spec?.replicas ?? 1;
  return {
    ...NOT_PAUSED,
    phase: 'Healthy',
    message: undefined,
    promoteFull: undefined,
    stableRS: hash,
    currentPodHash: hash,
    replicas,
    updatedReplicas: replicas,
    readyReplicas: replicas,
    availableReplicas: replicas,
    ...(spec?.strategy?.blueGreen
      ? { blueGreen: { activeSelector: hash, previewSelector: hash } }
      : {
          currentStepIndex: stepsOf(rollout).length,
          currentStepHash: shortHash(stepsOf(rollout)),
          canary: undefined,
        }),
  };
}

/** The status after an abort: the stable pods serve all traffic until a retry. */
export function updateAborted(
  rollout: Rollout,
  cause: string | undefined,
  now: Date,
): RolloutStatus {
  return {
    ...NOT_PAUSED,
    abort: true,
    abortedAt: kubeTime(now),
    phase: 'Degraded',
    message: `RolloutAborted: Rollout aborted update to ${podHash(rollout)}${
      cause ? `: ${cause}` : ''
    }`,
    ...(rollout.spec?.strategy?.blueGreen
      ? { updatedReplicas: 0 }
      : { currentStepIndex: 0, ...trafficWeight(rollout, 0) }),
  };
}

/** The fields for a canary that receives `weight` percent of the traffic. */
export function trafficWeight(
  rollout: Rollout,
  weight: number,
): Pick<RolloutStatus, 'canary' | 'updatedReplicas'> {
  const { status = {}, spec } = rollout;
  const hash = podHash(rollout);
  return {
    updatedReplicas: Math.ceil(((spec?.replicas ?? 1) * weight) / 100),
    canary: {
      weights: {
        canary: { weight, podTemplateHash: hash },
        stable: {
          weight: 100 - weight,
          podTemplateHash: status.stableRS ?? hash,
        },
      },
    },
  };
}

function shortHash(value: unknown): string {
  return createHash('sha1')
    .update(stableJson(value))
    .digest('hex')
    .slice(0, 10);
}
