import { stringifyEntityRef } from '@backstage/catalog-model';
import { InputError } from '@backstage/errors';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import type { PullModelApplicationSet } from 'backstage-plugin-argocd-fleet-common';
import type { FleetAccess } from '../fleetAccess';
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
        placement: z =>
          z
            .string()
            .min(1)
            .describe('Name of a Placement in the same namespace'),
        repoURL: z =>
          z
            .string()
            .min(1)
            .optional()
            .describe('Git repository with the manifests'),
        cloneUrl: z =>
          z
            .string()
            .min(1)
            .optional()
            .describe(
              'The same as repoURL, for a template with an action that has the input repoUrl: the catalog refuses an entity with keys that differ in case only',
            ),
        path: z =>
          z
            .string()
            .min(1)
            .describe('Folder of the manifests in the repository'),
        targetRevision: z =>
          z
            .string()
            .optional()
            .describe('Branch, tag or commit; by default the default branch'),
        destinationNamespace: z =>
          z
            .string()
            .min(1)
            .describe(
              'Namespace on the clusters that the application is deployed to',
            ),
        project: z =>
          z
            .string()
            .min(1)
            .optional()
            .describe(
              'AppProject of the Applications, which the configuration of the hub allows; by default `default`',
            ),
        automated: z =>
          z
            .boolean()
            .optional()
            .describe(
              'Argo CD syncs each change of the repository by itself, deletes what is removed from it (prune), and undoes changes on the clusters (self-heal); by default true',
            ),
        owner: z =>
          z
            .string()
            .min(1)
            .optional()
            .describe(
              'Entity reference of the group or user that owns the ApplicationSet; by default the owner of the component',
            ),
        validateOnly: z =>
          z
            .boolean()
            .optional()
            .describe(
              'Write nothing, and only ask the hub whether it would accept the ApplicationSet',
            ),
        component: z =>
          z
            .object({
              name: z.string().min(1),
              owner: z.string().optional(),
              title: z.string().optional(),
              description: z.string().optional(),
            })
            .optional()
            .describe(
              'Catalog component to create for this application, if no catalog file describes one',
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
      const { path, targetRevision, destinationNamespace } = ctx.input;
      const { cloneUrl, repoURL = cloneUrl } = ctx.input;
      if (!repoURL) {
        throw new InputError(
          'No repository is given: set repoURL (or cloneUrl) to the Git repository with the manifests',
        );
      }
      const { project = 'default', owner, automated = true } = ctx.input;
      const { validateOnly: dryRun = false } = ctx.input;
      const body: PullModelApplicationSet = {
        placement,
        source: { repoURL, path, ...(targetRevision && { targetRevision }) },
        destinationNamespace,
        project,
        automated,
        ...(owner && { owner }),
        ...(component && { component }),
      };
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
