import { createHash } from 'node:crypto';

import { stableJson } from '../../kubernetes/json';
import { kubeTime } from '../../kubernetes/objects';
import {
  CanaryStep,
  Rollout,
  RolloutStatus,
} from '../../kubernetes/rolloutTypes';

/** The hash that names the pods of a Rollout's template. */
export function podHash({ spec }: Rollout): string {
  return shortHash(spec?.template ?? {});
}

/** The canary steps of a Rollout, none for blue-green. */
export function stepsOf({ spec }: Rollout): readonly CanaryStep[] {
  return spec?.strategy?.canary?.steps ?? [];
}

/** Nothing is paused or aborted. */
const GOING: RolloutStatus = {
  controllerPause: undefined,
  pauseConditions: undefined,
  abort: undefined,
  abortedAt: undefined,
};

/** Waiting for new pods, which is also how a retry begins. */
export const PROGRESSING: RolloutStatus = {
  ...GOING,
  phase: 'Progressing',
  message: 'more replicas need to be updated',
};

/** A template that was not seen before, or that is the stable one again. */
export function begun(rollout: Rollout): RolloutStatus {
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
  // Without anything stable to compare with, the real one skips the steps too.
  const isUpdate = status.stableRS !== undefined && status.stableRS !== hash;
  return {
    ...common,
    currentStepIndex: isUpdate ? 0 : stepsOf(rollout).length,
    currentStepHash: shortHash(stepsOf(rollout)),
    ...(isUpdate && weighted(rollout, 0)),
  };
}

/** The canary has come to the step of that index; a pause begins at once. */
export function entered(
  rollout: Rollout,
  index: number,
  now: Date,
): RolloutStatus {
  const step: CanaryStep | undefined = stepsOf(rollout)[index];
  return {
    ...PROGRESSING,
    currentStepIndex: index,
    ...(step?.pause && paused('CanaryPauseStep', now)),
  };
}

/** The controller waits, for a time or for somebody. */
export function paused(reason: string, now: Date): RolloutStatus {
  return {
    phase: 'Paused',
    message: reason,
    controllerPause: true,
    pauseConditions: [{ reason, startTime: kubeTime(now) }],
  };
}

/** The template is the stable one, everywhere. */
export function completed(rollout: Rollout): RolloutStatus {
  const { spec } = rollout;
  const hash = podHash(rollout);
  const replicas = spec?.replicas ?? 1;
  return {
    ...GOING,
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

/** Everything goes back to the stable pods, until somebody retries. */
export function aborted(
  rollout: Rollout,
  cause: string | undefined,
  now: Date,
): RolloutStatus {
  return {
    ...GOING,
    abort: true,
    abortedAt: kubeTime(now),
    phase: 'Degraded',
    message: `RolloutAborted: Rollout aborted update to ${podHash(rollout)}${
      cause ? `: ${cause}` : ''
    }`,
    ...(rollout.spec?.strategy?.blueGreen
      ? { updatedReplicas: 0 }
      : { currentStepIndex: 0, ...weighted(rollout, 0) }),
  };
}

/** That share of the traffic, in percent, goes to the new pods. */
export function weighted(
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
