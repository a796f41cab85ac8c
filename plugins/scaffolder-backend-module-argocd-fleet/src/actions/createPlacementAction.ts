import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import type { FleetAccess } from '../fleetAccess';
import { placementExamples } from './createPlacementAction.examples';
import { putOnHub } from './putOnHub';
import { readSelection, SELECTION_INPUT } from './selectionInput';

/** `argocd-fleet:placement:create`: selects the clusters of an application. */
export function createPlacementAction(options: {
  readonly fleet: FleetAccess;
}) {
  return createTemplateAction({
    id: 'argocd-fleet:placement:create',
    description:
      'Creates a Placement on a hub, or changes the one that an earlier run created',
    examples: placementExamples,
    supportsDryRun: true,
    schema: {
      input: {
        hub: z => z.string().min(1).describe('Name of the hub'),
        namespace: z => z.string().min(1).describe('Namespace on the hub'),
        name: z => z.string().min(1).describe('Name of the Placement'),
        applicationSet: z =>
          z
            .string()
            .min(1)
            .optional()
            .describe(
              'Name of the ApplicationSet that a later step creates in the same namespace with the same owner: if the user may not write it, or something else has that name, this step fails before anything is created',
            ),
        ...SELECTION_INPUT,
        owner: z =>
          z
            .string()
            .min(1)
            .optional()
            .describe(
              'Entity reference of the group or user that owns the Placement; only whom the permission policy allows everything can leave it out',
            ),
      },
      output: {
        hub: z => z.string(),
        namespace: z => z.string(),
        name: z => z.string(),
        result: z =>
          z
            .enum(['created', 'updated', 'unchanged', 'dryRun'])
            .describe('What was done on the hub'),
      },
    },
    async handler(ctx) {
      const { hub, namespace, name, owner, applicationSet } = ctx.input;
      const body = {
        ...readSelection(ctx.input, `Placement ${namespace}/${name}`),
        ...(owner && { owner }),
      };
      await putOnHub({
        ctx,
        kind: 'Placement',
        ref: { hub, namespace, name },
        body,
        put: async (ref, request) =>
          options.fleet.client.putPlacement(ref, body, {
            ...request,
            applicationSet,
          }),
        fleet: options.fleet,
      });
    },
  });
}
