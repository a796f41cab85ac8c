import type { LoggerService } from '@backstage/backend-plugin-api';
import { ResponseError } from '@backstage/errors';
import type {
  ApplicationSetDetail,
  ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import { describeFailure, describeRef, type FleetAccess } from '../fleetAccess';
import { createChangeSignal } from './changeSignal';
import { describeRolloutFailure } from './rolloutFailure';
import { rolloutProgress, type RolloutProgress } from './rolloutProgress';

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

/** What is known after one look. */
interface Look {
  readonly message: string;
  readonly detail?: ApplicationSetDetail;
  readonly progress?: RolloutProgress;
}

/**
 * Waits until an ApplicationSet is synced and healthy on its clusters, and writes to the log how far it is, whenever that
 * changes. One that does not exist yet, and an API that does not answer, are waited for.
 * @throws Error when it takes longer than the timeout, with what is wrong and what to do; at once when the API refuses
 */
export async function waitForRollout(options: {
  readonly fleet: FleetAccess;
  readonly getToken: () => Promise<string>;
  readonly ref: ObjectRef;
  readonly minimumClusters: number;
  readonly timeoutMs: number;
  readonly logger: LoggerService;
  readonly signal: AbortSignal;
  readonly timing: RolloutTiming;
}): Promise<RolloutProgress> {
  const { fleet, getToken, ref, minimumClusters, timeoutMs } = options;
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
      return { detail, progress, message: progress.summary };
    } catch (error) {
      signal.throwIfAborted();
      const status =
        error instanceof ResponseError ? error.response.status : undefined;
      const why = describeFailure(error);
      if (status === 404) {
        return { message: `waiting for the ApplicationSet to appear: ${why}` };
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

  const deadline = Date.now() + timeoutMs;
  let logged: string | undefined;
  let wellSince: number | undefined;
  try {
    for (;;) {
      const { message, detail, progress } = await look();
      if (message !== logged) {
        logger.info(message);
        logged = message;
      }
      const now = Date.now();
      if (progress?.done) {
        wellSince ??= now;
        if (now - wellSince >= timing.settleMs) {
          return progress;
        }
      } else if (now >= deadline) {
        throw new Error(
          [
            `The ApplicationSet ${describeRef(
              ref,
            )} is not there yet after ${Math.round(
              timeoutMs / 1000,
            )} s: ${message}`,
            ...(detail && progress
              ? [describeRolloutFailure(detail, progress)]
              : []),
          ].join('\n'),
        );
      } else {
        wellSince = undefined;
      }
      const latest = wellSince ? wellSince + timing.settleMs : deadline;
      await changes.next(
        Math.max(timing.minimumGapMs, Math.min(timing.pollMs, latest - now)),
      );
    }
  } finally {
    finished.abort();
  }
}
