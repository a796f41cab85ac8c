import { ResponseError } from '@backstage/errors';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import { describeError, describeRef, type FleetAccess } from '../fleetAccess';
import { deletePlacementExamples } from './deletePlacementAction.examples';

/** `argocd-fleet:placement:delete`: deletes a Placement that nothing uses. */
export function createDeletePlacementAction(options: {
  readonly fleet: FleetAccess;
}) {
  const { fleet } = options;
  return createTemplateAction({
    id: 'argocd-fleet:placement:delete',
    description:
      'Deletes a Placement that the portal created and that nothing takes its clusters from',
    examples: deletePlacementExamples,
    supportsDryRun: true,
    schema: {
      input: {
        hub: z => z.string().min(1).describe('Name of the hub'),
        namespace: z => z.string().min(1).describe('Namespace on the hub'),
        name: z => z.string().min(1).describe('Name of the Placement'),
        ifUnused: z =>
          z
            .boolean()
            .optional()
            .describe(
              'Leave the Placement where it may not be deleted because something uses it, or because the portal did not create it, and do not fail',
            ),
      },
      output: {
        result: z =>
          z
            .enum(['deleted', 'absent', 'kept', 'dryRun'])
            .describe(
              'What was done; `absent` where there is no such Placement that the user may see',
            ),
        reason: z =>
          z.string().optional().describe('Why it stays, where it is `kept`'),
      },
    },
    async handler(ctx) {
      const { hub, namespace, name, ifUnused = false } = ctx.input;
      const ref = { hub, namespace, name };
      const what = `Placement ${describeRef(ref)}`;
      if (ctx.isDryRun) {
        ctx.logger.info(`Would delete ${what}`);
        ctx.output('result', 'dryRun');
        return;
      }
      const token = await fleet.getToken(await ctx.getInitiatorCredentials());
      try {
        await fleet.client.deletePlacement(ref, { token, signal: ctx.signal });
        ctx.logger.info(`${what} is deleted`);
        ctx.output('result', 'deleted');
      } catch (error) {
        const status =
          error instanceof ResponseError ? error.statusCode : undefined;
        if (status === 404) {
          ctx.logger.info(`There is no ${what} that you may see`);
          ctx.output('result', 'absent');
        } else if (status === 409 && ifUnused) {
          const reason = describeError(error);
          ctx.logger.warn(reason);
          ctx.output('result', 'kept');
          ctx.output('reason', reason);
        } else {
          throw new Error(`Could not delete ${what}: ${describeError(error)}`, {
            cause: error,
          });
        }
      }
    },
  });
}
