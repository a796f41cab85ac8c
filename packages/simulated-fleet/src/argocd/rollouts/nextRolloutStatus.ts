import { Rollout, RolloutStatus } from '../../kubernetes/rolloutTypes';
import { rolloutConditions } from './rolloutConditions';
import {
  aborted,
  begun,
  completed,
  entered,
  paused,
  podHash,
  stepsOf,
  weighted,
} from './rolloutStatus';

/** What the Rollouts controller does to a Rollout next. */
export interface RolloutMove {
  status?: RolloutStatus;
  /** Look again after this much simulated time. */
  wakeAfterMs?: number;
}

/** What the controller finds around a Rollout. */
export interface RolloutSurroundings {
  /** How long new pods take to become ready, in milliseconds of simulated time. */
  readonly stepMs: number;
  /** Simulated time since the Rollout last changed. */
  readonly elapsedMs: number;
  /** Why new pods never become ready. */
  readonly failure: string | undefined;
  readonly now: Date;
}

/**
 * The next step of Argo Rollouts in the life of a Rollout, from its spec and
 * status alone: canary steps, blue-green, pauses, abort and retry, in the
 * words of `kubectl argo rollouts get`.
 */
export function nextRolloutStatus(
  rollout: Rollout,
  surroundings: RolloutSurroundings,
): RolloutMove {
  const { elapsedMs, now } = surroundings;
  const change = nextChange(rollout, surroundings);
  if (!change) {
    return {};
  }
  if (elapsedMs < change.afterMs) {
    return { wakeAfterMs: change.afterMs - elapsedMs };
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
  surroundings: RolloutSurroundings,
): Change | undefined {
  const { status = {}, spec } = rollout;
  const { stepMs, failure, now } = surroundings;
  const hash = podHash(rollout);
  if (status.currentPodHash !== hash) {
    return { afterMs: 0, to: () => begun(rollout) };
  }
  if (status.stableRS === hash) {
    return status.phase === 'Healthy'
      ? undefined
      : { afterMs: stepMs, to: () => completed(rollout) };
  }
  if (status.abort) {
    return status.phase === 'Degraded'
      ? undefined
      : { afterMs: 0, to: () => aborted(rollout, undefined, now) };
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
    return { afterMs: stepMs, to: () => completed(rollout) };
  }
  return spec?.strategy?.blueGreen
    ? nextOfBlueGreen(rollout, surroundings)
    : nextOfCanary(rollout, surroundings);
}

function failed(rollout: Rollout, failure: string, now: Date): RolloutStatus {
  return rollout.status?.stableRS
    ? aborted(rollout, failure, now)
    : // There is nothing to go back to.
      { phase: 'Degraded', message: `ProgressDeadlineExceeded: ${failure}` };
}

function nextOfCanary(
  rollout: Rollout,
  { stepMs, now }: RolloutSurroundings,
): Change | undefined {
  const { status = {} } = rollout;
  const index = status.currentStepIndex ?? 0;
  const step = stepsOf(rollout)[index];
  if (!step) {
    return { afterMs: stepMs, to: () => completed(rollout) };
  }
  const next = () => entered(rollout, index + 1, now);
  const { pause, setWeight = 0 } = step;
  if (!pause) {
    return {
      afterMs: stepMs,
      to: () => ({ ...next(), ...weighted(rollout, setWeight) }),
    };
  }
  if (!status.controllerPause) {
    return { afterMs: 0, to: () => paused('CanaryPauseStep', now) };
  }
  if (!status.pauseConditions) {
    return { afterMs: 0, to: next };
  }
  return pause.duration === undefined
    ? undefined
    : { afterMs: pauseMs(pause.duration), to: next };
}

function nextOfBlueGreen(
  rollout: Rollout,
  { stepMs, now }: RolloutSurroundings,
): Change | undefined {
  const { status = {}, spec } = rollout;
  const { autoPromotionEnabled = true, autoPromotionSeconds } =
    spec?.strategy?.blueGreen ?? {};
  const complete = () => completed(rollout);
  if (!status.controllerPause) {
    const waits = !autoPromotionEnabled || autoPromotionSeconds;
    return {
      afterMs: stepMs,
      to: waits ? () => paused('BlueGreenPause', now) : complete,
    };
  }
  if (!status.pauseConditions) {
    return { afterMs: 0, to: complete };
  }
  return autoPromotionSeconds
    ? { afterMs: autoPromotionSeconds * 1000, to: complete }
    : undefined;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** A pause's duration: seconds, or `30s`, `5m`, `1h`. Another text counts as nothing. */
function pauseMs(duration: string | number): number {
  const [, amount, unit = 's'] = /^(\d+)([smh])?$/.exec(String(duration)) ?? [];
  return Number(amount ?? 0) * UNIT_MS[unit];
}
