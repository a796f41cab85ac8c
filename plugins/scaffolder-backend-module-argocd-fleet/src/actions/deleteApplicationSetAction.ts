import { setTimeout } from 'node:timers/promises';
import type { LoggerService } from '@backstage/backend-plugin-api';
import { ResponseError } from '@backstage/errors';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import {
  RELEASES,
  type ArgocdFleetRequestOptions,
  type ObjectRef,
  type Release,
} from 'backstage-plugin-argocd-fleet-common';
import { describeError, describeRef, type FleetAccess } from '../fleetAccess';
import { endingProgress } from '../rollout/endingProgress';
import { describeFindings } from '../rollout/rolloutFailure';
import { readRef } from './applicationSetRef';
import { deleteApplicationSetExamples } from './deleteApplicationSetAction.examples';

const DEFAULT_TIMEOUT_SECONDS = 600;

/** Milliseconds between two requests: the controllers store an order within seconds. */
const POLL_MS = 2_000;

/** `argocd-fleet:applicationset:delete`: ends an application on all its clusters, its workload kept or removed. */
export function createDeleteApplicationSetAction(options: {
  readonly fleet: FleetAccess;
  readonly pollMs?: number;
}) {
  const { fleet, pollMs = POLL_MS } = options;
  return createTemplateAction({
    id: 'argocd-fleet:applicationset:delete',
    description:
      'Deletes an ApplicationSet that the portal created: orders what becomes of what runs on its clusters, waits until the order is stored, deletes it, and waits until it is gone from every cluster',
    examples: deleteApplicationSetExamples,
    supportsDryRun: true,
    schema: {
      input: {
        applicationSet: z =>
          z
            .string()
            .min(1)
            .describe('The ApplicationSet, as hub:namespace/name'),
        release: z =>
          z
            .enum(RELEASES)
            .describe(
              '`remove`: what runs is removed from the clusters; `hand-over`: it stays, and the Application on each cluster goes; `orphan`: both stay',
            ),
        timeoutSeconds: z =>
          z
            .number()
            .positive()
            .optional()
            .describe(
              `Fail when it is not gone after this many seconds, which does not stop the deletion; by default ${DEFAULT_TIMEOUT_SECONDS}`,
            ),
      },
      output: {
        hub: z => z.string(),
        namespace: z => z.string(),
        name: z => z.string(),
        result: z =>
          z
            .enum(['deleted', 'absent', 'dryRun'])
            .describe(
              'What was done; `absent` where there is no such ApplicationSet that the user may see',
            ),
        placements: z =>
          z
            .array(z.string())
            .describe(
              'Names of the Placements in its namespace that it took its clusters from; they stay',
            ),
      },
    },
    async handler(ctx) {
      const { release, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = ctx.input;
      const ref = readRef(ctx.input.applicationSet);
      const { logger, signal } = ctx;
      const deadline = performance.now() + timeoutSeconds * 1000;

      async function request(): Promise<ArgocdFleetRequestOptions> {
        const token = await fleet.getToken(await ctx.getInitiatorCredentials());
        return { token, signal };
      }

      /** @throws Error with `left` when the time is over */
      async function pause(left: string) {
        if (performance.now() > deadline) {
          throw new Error(left);
        }
        await setTimeout(pollMs, undefined, { signal });
      }

      function finish(
        result: 'deleted' | 'absent' | 'dryRun',
        placements: string[] = [],
      ) {
        ctx.output('hub', ref.hub);
        ctx.output('namespace', ref.namespace);
        ctx.output('name', ref.name);
        ctx.output('result', result);
        ctx.output('placements', placements);
      }

      if (ctx.isDryRun) {
        logger.info(
          `Would delete ApplicationSet ${describeRef(ref)} with the order ${release}`,
        );
        finish('dryRun');
        return;
      }

      const order = async () =>
        fleet.client.orderRelease(ref, release, await request());
      // After a restart, the ApplicationSet may be gone already.
      const { exists, placements } = await ctx.checkpoint({
        key: 'ordered',
        fn: async () => {
          const ordered = await unlessGone(ref, order());
          return {
            exists: ordered !== undefined,
            placements: [...(ordered?.placements ?? [])],
          };
        },
      });
      if (!exists) {
        logger.warn(
          `There is no ApplicationSet ${describeRef(ref)} that you may see: nothing is deleted`,
        );
        finish('absent');
        return;
      }
      logger.info(`Ordered ${release} for ${describeRef(ref)}`);

      /** False while the order is not stored, or the ApplicationSet changed meanwhile. */
      async function isDeleting() {
        const ordered = await unlessGone(ref, order());
        return (
          !ordered ||
          (ordered.stored &&
            (await isAccepted(
              ref,
              fleet.client.deleteApplicationSet(ref, await request()),
            )))
        );
      }
      while (!(await answered(isDeleting, logger))?.value) {
        await pause(notStored(ref, release));
      }

      const readSet = async () =>
        unlessGone(ref, fleet.client.getApplicationSet(ref, await request()));
      let last = 'It is not known where it still is';
      for (;;) {
        const answer = await answered(readSet, logger);
        if (answer && !answer.value) {
          break;
        }
        const progress = answer?.value && endingProgress(answer.value);
        if (progress) {
          const { summary } = progress;
          if (!last.startsWith(summary)) {
            logger.info(summary);
          }
          last = [summary, ...describeFindings(progress.findings)].join('\n');
        }
        await pause(notGone(ref, last));
      }
      logger.info(`ApplicationSet ${describeRef(ref)} is deleted`);
      finish('deleted', placements);
    },
  });
}

const statusOf = (error: unknown) =>
  error instanceof ResponseError ? error.statusCode : undefined;

function failure(ref: ObjectRef, cause: unknown): Error {
  return new Error(
    `Could not delete ApplicationSet ${describeRef(ref)}: ${describeError(cause)}`,
    { cause },
  );
}

/** Undefined where the ApplicationSet does not exist, or not for the user. */
async function unlessGone<T>(
  ref: ObjectRef,
  answer: Promise<T>,
): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (statusOf(error) === 404) {
      return undefined;
    }
    throw failure(ref, error);
  }
}

/** False where the ApplicationSet changed after it was looked at. */
async function isAccepted(
  ref: ObjectRef,
  answer: Promise<unknown>,
): Promise<boolean> {
  try {
    await answer;
    return true;
  } catch (error) {
    if (statusOf(error) === 409) {
      return false;
    }
    if (statusOf(error) === 404) {
      return true;
    }
    throw failure(ref, error);
  }
}

/** Undefined where the API could not answer: that passes. @throws Error where it refuses the request */
async function answered<T>(
  ask: () => Promise<T>,
  logger: LoggerService,
): Promise<{ readonly value: T } | undefined> {
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
}

function notStored(ref: ObjectRef, release: Release): string {
  return `The controllers of the hub "${ref.hub}" have not stored the order ${release}, so nothing is deleted. Look at their page: does propagation run, and can it reach its database? Then run this again. To take the order back, remove the annotation argocd-fleet/release of ApplicationSet ${ref.namespace}/${ref.name}.`;
}

function notGone(ref: ObjectRef, last: string): string {
  return `ApplicationSet ${describeRef(ref)} is being deleted, which takes longer. It goes on by itself; run this again to wait for it.\n\n${last}`;
}
