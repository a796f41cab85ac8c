import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import { RELEASES, type ObjectRef } from 'backstage-plugin-argocd-fleet-common';
import { describeRef, type FleetAccess } from '../fleetAccess';
import { endingProgress } from '../rollout/endingProgress';
import { describeFindings } from '../rollout/rolloutFailure';
import { readRef, REF_INPUT } from './applicationSetRef';
import { deleteApplicationSetExamples } from './deleteApplicationSetAction.examples';
import { hubRequests, notStored } from './hubRequests';

const DEFAULT_TIMEOUT_SECONDS = 600;

/** `argocd-fleet:applicationset:delete`: ends an application on all its clusters, its workload kept or removed. */
export function createDeleteApplicationSetAction(options: {
  readonly fleet: FleetAccess;
  readonly pollMs?: number;
}) {
  const { fleet, pollMs } = options;
  return createTemplateAction({
    id: 'argocd-fleet:applicationset:delete',
    description:
      'Deletes an ApplicationSet that the portal created: orders what becomes of what runs on its clusters, waits until the order is stored, deletes it, and waits until it is gone from every cluster',
    examples: deleteApplicationSetExamples,
    supportsDryRun: true,
    schema: {
      input: {
        ...REF_INPUT,
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
      const { logger } = ctx;
      const requests = hubRequests({
        ...{ ctx, fleet, pollMs, timeoutSeconds },
        what: `delete ApplicationSet ${describeRef(ref)}`,
      });

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

      const { pause, send, answered } = requests;
      const order = () =>
        send(request => fleet.client.orderRelease(ref, release, request));
      // After a restart, the ApplicationSet may be gone already.
      const { exists, placements } = await ctx.checkpoint({
        key: 'ordered',
        fn: async () => {
          const ordered = await order();
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
        const ordered = await order();
        return (
          !ordered ||
          (ordered.stored &&
            (await requests.isAccepted(request =>
              fleet.client.deleteApplicationSet(ref, request),
            )))
        );
      }
      while (!(await answered(isDeleting))?.value) {
        await pause(notStored(ref, release, 'deleted'));
      }

      const readSet = () =>
        send(request => fleet.client.getApplicationSet(ref, request));
      let last = 'It is not known where it still is';
      for (;;) {
        const answer = await answered(readSet);
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

function notGone(ref: ObjectRef, last: string): string {
  return `ApplicationSet ${describeRef(ref)} is being deleted, which takes longer. It goes on by itself; run this again to wait for it.\n\n${last}`;
}
