import { InputError } from '@backstage/errors';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import type { PlacementSelection } from 'backstage-plugin-argocd-fleet-common';
import type { FleetAccess } from '../fleetAccess';
import { placementExamples } from './createPlacementAction.examples';
import { readMatchLabels } from './matchLabels';
import { putOnHub } from './putOnHub';

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
        clusterSets: z =>
          z
            .array(z.string().min(1))
            .optional()
            .describe(
              'ManagedClusterSets to select from, each bound to the namespace; by default all that are bound',
            ),
        matchLabels: z =>
          z
            .union([z.record(z.string()), z.array(z.string().min(1))])
            .optional()
            .describe(
              'Labels that a cluster must have: an object, or a list of key=value',
            ),
        owner: z =>
          z
            .string()
            .min(1)
            .optional()
            .describe(
              'Entity reference of the group or user that owns the Placement; only whom the permission policy allows everything can leave it out',
            ),
        numberOfClusters: z =>
          z
            .number()
            .int()
            .min(1)
            .optional()
            .describe('Select this many clusters; by default all that match'),
        allClusters: z =>
          z
            .boolean()
            .optional()
            .describe(
              'Must be true to select every cluster of all sets that are bound to the namespace, which is what no cluster sets, no labels and no number mean',
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
      const { hub, namespace, name, clusterSets, numberOfClusters, owner } =
        ctx.input;
      const matchLabels = readMatchLabels(ctx.input.matchLabels);
      const body: PlacementSelection = {
        ...(clusterSets?.length && { clusterSets }),
        ...(Object.keys(matchLabels).length && { matchLabels }),
        ...(numberOfClusters && { numberOfClusters }),
        ...(owner && { owner }),
      };
      const { applicationSet, allClusters } = ctx.input;
      if (
        !body.clusterSets &&
        !body.matchLabels &&
        !numberOfClusters &&
        !allClusters
      ) {
        throw new InputError(
          `No clusters are chosen for Placement ${namespace}/${name}: give clusterSets, matchLabels or numberOfClusters, or, for every cluster of the sets that are bound to ${namespace}, allClusters: true`,
        );
      }
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
