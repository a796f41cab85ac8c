import { Rollout, RolloutStatus } from '../../kubernetes/rolloutTypes';
import { durationMs } from '../../runtime/duration';
import { rolloutConditions } from './rolloutConditions';
import {
  updateAborted,
  updateStarted,
  updateCompleted,
  stepEntered,
  updatePaused,
  podHash,
  stepsOf,
  trafficWeight,
} from './rolloutStatus';

/** The next change of a Rollout by its controller. */
export interface RolloutStep {
  status?: RolloutStatus;
  /** Requeue after this many milliseconds of simulated time. */
  requeueAfterMs?: number;
}

/** The inputs of {@link nextRolloutStatus} besides the Rollout. */
export interface RolloutContext {
  /** Milliseconds of simulated time until new pods are ready. */
  readonly stepMs: number;
  /** Milliseconds of simulated time since the Rollout last changed. */
  readonly elapsedMs: number;
  /** The message if new pods never become ready. */
  readonly failure: string | undefined;
  readonly now: Date;
}

/**
 * The next status of a Rollout. It depends only on the Rollout's spec and
 * status: canary steps, blue-green, pauses, abort and retry. Messages are those
 * of `kubectl argo rollouts get`.
 */
export function nextRolloutStatus(
  rollout: Rollout,
  context: RolloutContext,
): RolloutStep {
  const { elapsedMs, now } = context;
  const change = nextChange(rollout, context);
  if (!change) {
    return {};
  }
  if (elapsedMs < change.afterMs) {
    return { requeueAfterMs: change.afterMs - elapsedMs };
  }
  const status = { ...rollout.status, ...change.to() };
  const conditions = rolloutConditions(
    rollout.metadata.name,
    rollout.status?.conditions ?? [],
    status,
    now,
  );
  return { status: { ...status, conditions } };
}

interface Change {
  afterMs: number;
  to: () => RolloutStatus;
}

function nextChange(
  rollout: Rollout,
  context: RolloutContext,
): Change | undefined {
  const { status = {}, spec } = rollout;
  const { stepMs, failure, now } = context;
  const hash = podHash(rollout);
  if (status.currentPodHash !== hash) {
    return { afterMs: 0, to: () => updateStarted(rollout) };
  }
  if (status.stableRS === hash) {
    return status.phase === 'Healthy'
      ? undefined
      : { afterMs: stepMs, to: () => updateCompleted(rollout) };
  }
  if (status.abort) {
    return status.phase === 'Degraded'
      ? undefined
      : { afterMs: 0, to: () => updateAborted(rollout, undefined, now) };
  }
  if (failure !== undefined) {
    return status.phase === 'Degraded'
      ? undefined
      : { afterMs: stepMs, to: () => failed(rollout, failure, now) };
  }
  if (spec?.paused) {
    return status.phase === 'Paused'
      ? undefined
      : {
          afterMs: 0,
          to: () => ({ phase: 'Paused', message: 'manually paused' }),
        };
  }
  if (status.promoteFull || !status.stableRS) {
    return { afterMs: stepMs, to: () => updateCompleted(rollout) };
  }
  return spec?.strategy?.blueGreen
    ? nextOfBlueGreen(rollout, context)
    : nextOfCanary(rollout, context);
}

function failed(rollout: Rollout, failure: string, now: Date): RolloutStatus {
  return rollout.status?.stableRS
    ? updateAborted(rollout, failure, now)
    : // There is no stable version to return to.
      { phase: 'Degraded', message: `ProgressDeadlineExceeded: ${failure}` };
}

function nextOfCanary(
  rollout: Rollout,
  { stepMs, now }: RolloutContext,
): Change | undefined {
  const { status = {} } = rollout;
  const index = status.currentStepIndex ?? 0;
  const step = stepsOf(rollout)[index];
  if (!step) {
    return { afterMs: stepMs, to: () => updateCompleted(rollout) };
  }
  const next = () => stepEntered(rollout, index + 1, now);
  const { pause, setWeight = 0 } = step;
  if (!pause) {
    return {
      afterMs: stepMs,
      to: () => ({ ...next(), ...trafficWeight(rollout, setWeight) }),
    };
  }
  if (!status.controllerPause) {
    return { afterMs: 0, to: () => updatePaused('CanaryPauseStep', now) };
  }
  if (!status.pauseConditions) {
    return { afterMs: 0, to: next };
  }
  return pause.duration === undefined
    ? undefined
    : { afterMs: durationMs(String(pause.duration)) ?? 0, to: next };
}

function nextOfBlueGreen(
  rollout: Rollout,
  { stepMs, now }: RolloutContext,
): Change | undefined {
  const { status = {}, spec } = rollout;
  const { autoPromotionEnabled = true, autoPromotionSeconds } =
    spec?.strategy?.blueGreen ?? {};
  const complete = () => updateCompleted(rollout);
  if (!status.controllerPause) {
    const waits = !autoPromotionEnabled || autoPromotionSeconds;
    return {
      afterMs: stepMs,
      to: waits ? () => updatePaused('BlueGreenPause', now) : complete,
    };
  }
  if (!status.pauseConditions) {
    return { afterMs: 0, to: complete };
  }
  return autoPromotionSeconds
    ? { afterMs: autoPromotionSeconds * 1000, to: complete }
    : undefined;
}
