import type { LoggerService } from '@backstage/backend-plugin-api';
import { ResponseError } from '@backstage/errors';
import type { ObjectRef } from 'backstage-plugin-argocd-fleet-common';
import { describeFailure, describeRef, type FleetAccess } from '../fleetAccess';
import { createChangeSignal } from './changeSignal';
import { rolloutProgress, type RolloutProgress } from './rolloutProgress';
import { createRolloutJudge, type Look } from './rolloutVerdict';

/** How often and how long one looks, in milliseconds. */
export interface RolloutTiming {
  /** Between two looks when nothing says that something changed. */
  readonly pollMs: number;
  /** Between two looks however much changes: one answer may hold thousands of clusters. */
  readonly minimumGapMs: number;
  /**
   * How long all must stay well: right after a change, what is seen may still be the state before it, or the first few of the
   * clusters.
   */
  readonly settleMs: number;
  /** For one answer of the API. */
  readonly requestTimeoutMs: number;
}

export const ROLLOUT_TIMING: RolloutTiming = {
  pollMs: 2_000,
  minimumGapMs: 500,
  settleMs: 2_000,
  requestTimeoutMs: 10_000,
};

/**
 * Waits until an ApplicationSet is synced and healthy on its clusters, and writes to the log how far it is, whenever that
 * changes. One that does not exist yet, and an API that does not answer, are waited for.
 * @throws Error with what is wrong and what to do: when it takes longer than the timeout, when an error does not go away, when the
 * ApplicationSet is deleted meanwhile; at once when the API refuses
 */
export async function waitForRollout(options: {
  readonly fleet: FleetAccess;
  readonly getToken: () => Promise<string>;
  readonly ref: ObjectRef;
  readonly minimumClusters: number;
  readonly timeoutMs: number;
  /** How long an error may stay as it is. */
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
    concerns: event =>
      event.hubs.includes(ref.hub) ||
      event.applicationSets.some(
        ({ hub, namespace, name }) =>
          hub === ref.hub && namespace === ref.namespace && name === ref.name,
      ),
    onInterrupted: error =>
      logger.debug(
        `The stream of changes ended, looking every ${
          timing.pollMs
        } ms: ${describeFailure(error)}`,
      ),
  });

  async function look(): Promise<Look> {
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
      return { seen: { detail, progress }, message: progress.summary };
    } catch (error) {
      signal.throwIfAborted();
      const status =
        error instanceof ResponseError ? error.response.status : undefined;
      const why = describeFailure(error);
      if (status === 404) {
        return {
          absent: true,
          message: `waiting for the ApplicationSet to appear: ${why}`,
        };
      }
      if (status !== undefined && status >= 400 && status < 500) {
        throw new Error(
          `Cannot see the ApplicationSet ${describeRef(ref)}: ${why}`,
          { cause: error },
        );
      }
      return { message: `the argocd-fleet API does not answer: ${why}` };
    }
  }

  const judge = createRolloutJudge({
    ref,
    startedAt: Date.now(),
    timeoutMs: options.timeoutMs,
    failAfterMs: options.failAfterMs,
    settleMs: timing.settleMs,
  });
  let logged: string | undefined;
  try {
    for (;;) {
      const seen = await look();
      if (seen.message !== logged) {
        logger.info(seen.message);
        logged = seen.message;
      }
      const now = Date.now();
      const verdict = judge(seen, now);
      if (verdict.kind === 'done') {
        return verdict.progress;
      }
      if (verdict.kind === 'failed') {
        throw new Error(verdict.message);
      }
      await changes.next(
        Math.max(
          timing.minimumGapMs,
          Math.min(timing.pollMs, verdict.lookAgainBy - now),
        ),
      );
    }
  } finally {
    finished.abort();
  }
}
