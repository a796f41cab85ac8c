import { setTimeout } from 'node:timers/promises';
import type {
  BackstageCredentials,
  LoggerService,
} from '@backstage/backend-plugin-api';
import { ResponseError } from '@backstage/errors';
import type {
  ArgocdFleetRequestOptions,
  ObjectRef,
  Release,
} from 'backstage-plugin-argocd-fleet-common';
import { describeError, type FleetAccess } from '../fleetAccess';

/** Milliseconds between two requests: the controllers store an order within seconds. */
const POLL_MS = 2_000;

type Send<T> = (request: ArgocdFleetRequestOptions) => Promise<T>;

/** Requests of an action that takes several steps on a hub, and waits for each. */
export interface HubRequests {
  /** Undefined where the object does not exist, or not for the user. @throws Error that names the action */
  send<T>(request: Send<T>): Promise<T | undefined>;
  /** False where the hub answers that something changed meanwhile, so that it has to be looked at again. */
  isAccepted(request: Send<unknown>): Promise<boolean>;
  /** Undefined where the API could not answer, which passes. @throws Error where it refuses the request */
  answered<T>(
    ask: () => Promise<T>,
  ): Promise<{ readonly value: T } | undefined>;
  /** Waits until it is time to ask again. @throws Error with this message where no time is left */
  pause(message: string): Promise<void>;
}

/**
 * @param what - of the action, as in "Could not … ": its errors begin so
 * @param pollMs - milliseconds between two requests
 */
export function hubRequests(options: {
  readonly ctx: {
    readonly logger: LoggerService;
    readonly signal?: AbortSignal;
    getInitiatorCredentials(): Promise<BackstageCredentials>;
  };
  readonly fleet: FleetAccess;
  readonly what: string;
  readonly timeoutSeconds: number;
  readonly pollMs?: number;
}): HubRequests {
  const { ctx, fleet, what, timeoutSeconds, pollMs = POLL_MS } = options;
  const { logger, signal } = ctx;
  const deadline = performance.now() + timeoutSeconds * 1000;

  /** A token lasts for an hour, and a run may take longer. */
  async function sent<T>(request: Send<T>): Promise<T> {
    const token = await fleet.getToken(await ctx.getInitiatorCredentials());
    return request({ token, signal });
  }

  const failure = (cause: unknown) =>
    new Error(`Could not ${what}: ${describeError(cause)}`, { cause });

  return {
    async send(request) {
      try {
        return await sent(request);
      } catch (error) {
        if (statusOf(error) === 404) {
          return undefined;
        }
        throw failure(error);
      }
    },
    async isAccepted(request) {
      try {
        await sent(request);
        return true;
      } catch (error) {
        switch (statusOf(error)) {
          case 404:
            return true;
          case 409:
            return false;
          default:
            throw failure(error);
        }
      }
    },
    async answered(ask) {
      try {
        return { value: await ask() };
      } catch (error) {
        const status = statusOf((error as Error).cause);
        if (status !== undefined && status < 500) {
          throw error;
        }
        logger.warn((error as Error).message);
        return undefined;
      }
    },
    async pause(message) {
      if (performance.now() > deadline) {
        throw new Error(message);
      }
      await setTimeout(pollMs, undefined, { signal });
    },
  };
}

function statusOf(error: unknown): number | undefined {
  return error instanceof ResponseError ? error.statusCode : undefined;
}

/** @param done - what waits for the order, as in "nothing is deleted" */
export function notStored(
  ref: ObjectRef,
  release: Release,
  done: string,
): string {
  return `The controllers of the hub "${ref.hub}" have not stored the order ${release}, so nothing is ${done}. Look at their page: does propagation run, and can it reach its database? Then run this again. To take the order back, remove the annotation argocd-fleet/release of ApplicationSet ${ref.namespace}/${ref.name}.`;
}
