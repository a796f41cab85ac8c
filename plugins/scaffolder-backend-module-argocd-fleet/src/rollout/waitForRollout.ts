import type { LoggerService } from '@backstage/backend-plugin-api';
import { ResponseError } from '@backstage/errors';
import type { ObjectRef } from 'backstage-plugin-argocd-fleet-common';
import { describeError, describeRef, type FleetAccess } from '../fleetAccess';
import { createChangeSignal } from './changeSignal';
import { rolloutProgress, type RolloutProgress } from './rolloutProgress';
import { createRolloutEvaluator, type Observation } from './rolloutVerdict';

/** Intervals and limits in milliseconds. */
export interface RolloutTiming {
  /** Between two requests when no change is reported. */
  readonly pollMs: number;
  /** Between two requests when changes are reported: one answer may hold thousands of clusters. */
  readonly minimumGapMs: number;
  /**
   * How long the rollout must stay done. Right after a change, the API may still return the previous state, or only the
   * first clusters.
   */
  readonly settleMs: number;
  /** Between two times that the log says the same: what Argo CD tries again and again goes to and fro each second. */
  readonly repeatMs: number;
  /** For one answer of the API. */
  readonly requestTimeoutMs: number;
}

export const ROLLOUT_TIMING: RolloutTiming = {
  pollMs: 2_000,
  minimumGapMs: 500,
  settleMs: 2_000,
  repeatMs: 30_000,
  requestTimeoutMs: 10_000,
};

/**
 * Waits until an ApplicationSet is synced and healthy on its clusters, and logs the progress whenever it changes. It
 * also waits while the ApplicationSet does not exist yet, and while the API does not answer.
 * @throws Error with the cause and what to do: after the timeout, when an error lasts too long, when the ApplicationSet
 * is deleted, and at once when the API refuses the request
 */
export async function waitForRollout(options: {
  readonly fleet: FleetAccess;
  readonly getToken: () => Promise<string>;
  readonly ref: ObjectRef;
  readonly minimumClusters: number;
  readonly timeoutMs: number;
  /** How long the same error may last. */
  readonly failAfterMs: number;
  readonly logger: LoggerService;
  readonly signal: AbortSignal;
  readonly timing: RolloutTiming;
}): Promise<RolloutProgress> {
  const { fleet, getToken, ref, minimumClusters } = options;
  const { logger, timing } = options;
  const finished = new AbortController();
  const signal = AbortSignal.any([options.signal, finished.signal]);
  const changes = createChangeSignal({
    client: fleet.client,
    getToken,
    signal,
    reconnectMs: timing.pollMs,
    isRelevant: event =>
      event.hubs.includes(ref.hub) ||
      event.applicationSets.some(
        ({ hub, namespace, name }) =>
          hub === ref.hub && namespace === ref.namespace && name === ref.name,
      ),
    onInterrupted: error =>
      logger.debug(
        `The stream of changes ended, polling every ${
          timing.pollMs
        } ms: ${describeError(error)}`,
      ),
  });

  async function observe(): Promise<Observation> {
    const request = {
      token: await getToken(),
      signal: AbortSignal.any([
        signal,
        AbortSignal.timeout(timing.requestTimeoutMs),
      ]),
    };
    try {
      const detail = await fleet.client.getApplicationSet(ref, request);
      const progress = rolloutProgress(detail, minimumClusters);
      return { state: { detail, progress }, message: progress.summary };
    } catch (error) {
      signal.throwIfAborted();
      const status =
        error instanceof ResponseError ? error.response.status : undefined;
      const reason = describeError(error);
      if (status === 404) {
        return {
          notFound: true,
          message: `waiting for the ApplicationSet to appear: ${reason}`,
        };
      }
      if (status !== undefined && status >= 400 && status < 500) {
        throw new Error(
          `Cannot read the ApplicationSet ${describeRef(ref)}: ${reason}`,
          { cause: error },
        );
      }
      return { message: `the argocd-fleet API does not answer: ${reason}` };
    }
  }

  const evaluate = createRolloutEvaluator({
    ref,
    startedAt: Date.now(),
    timeoutMs: options.timeoutMs,
    failAfterMs: options.failAfterMs,
    settleMs: timing.settleMs,
  });
  let last: string | undefined;
  const logged = new Map<string, number>();
  try {
    for (;;) {
      const observation = await observe();
      const now = Date.now();
      const { message } = observation;
      const loggedAt = logged.get(message) ?? -Infinity;
      if (message !== last && now - loggedAt >= timing.repeatMs) {
        logger.info(message);
        logged.set(message, now);
        last = message;
      }
      const verdict = evaluate(observation, now);
      if (verdict.kind === 'done') {
        return verdict.progress;
      }
      if (verdict.kind === 'failed') {
        throw new Error(verdict.message);
      }
      await changes.waitForChange(
        Math.max(
          timing.minimumGapMs,
          Math.min(timing.pollMs, verdict.recheckAt - now),
        ),
      );
    }
  } finally {
    finished.abort();
  }
}
