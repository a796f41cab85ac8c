import { stringifyEntityRef } from '@backstage/catalog-model';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import type { FleetAccess } from '../fleetAccess';
import {
  APPLICATION_SET_INPUT,
  readApplicationSet,
} from './applicationSetInput';
import { applicationSetExamples } from './createApplicationSetAction.examples';
import { putOnHub } from './putOnHub';

/** `argocd-fleet:applicationset:create`: deploys an application to the clusters of a Placement. */
export function createApplicationSetAction(options: {
  readonly fleet: FleetAccess;
}) {
  return createTemplateAction({
    id: 'argocd-fleet:applicationset:create',
    description:
      'Creates a pull-model ApplicationSet on a hub, or changes the one that an earlier run created',
    examples: applicationSetExamples,
    supportsDryRun: true,
    schema: {
      input: {
        hub: z => z.string().min(1).describe('Name of the hub'),
        namespace: z => z.string().min(1).describe('Namespace on the hub'),
        name: z => z.string().min(1).describe('Name of the ApplicationSet'),
        ...APPLICATION_SET_INPUT,
        validateOnly: z =>
          z
            .boolean()
            .optional()
            .describe(
              'Write nothing, and only ask the hub whether it would accept the ApplicationSet',
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
        annotation: z =>
          z
            .string()
            .describe(
              'Value of the entity annotation argocd-fleet/applicationset that links a component to the ApplicationSet',
            ),
        componentRef: z =>
          z
            .string()
            .optional()
            .describe(
              'Entity reference of the component, if the input names one',
            ),
      },
    },
    async handler(ctx) {
      const { hub, namespace, name, placement, component } = ctx.input;
      const { validateOnly: dryRun = false } = ctx.input;
      const body = readApplicationSet(ctx.input);
      await putOnHub({
        ctx,
        kind: 'ApplicationSet',
        ref: { hub, namespace, name },
        body,
        put: (ref, request) =>
          options.fleet.client.putApplicationSet(ref, body, {
            ...request,
            ...(dryRun && { dryRun }),
          }),
        isValidation: dryRun,
        fleet: options.fleet,
        leftovers: [{ kind: 'Placement', namespace, name: placement }],
      });
      ctx.output('annotation', `${hub}:${namespace}/${name}`);
      if (component) {
        ctx.output(
          'componentRef',
          stringifyEntityRef({ kind: 'component', name: component.name }),
        );
      }
    },
  });
}
