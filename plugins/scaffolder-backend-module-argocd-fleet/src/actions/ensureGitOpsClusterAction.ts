import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import type { FleetAccess } from '../fleetAccess';
import { ensureGitOpsClusterExamples } from './ensureGitOpsClusterAction.examples';
import { putOnHub } from './putOnHub';

/** `argocd-fleet:gitopscluster:ensure`: has the clusters of a Placement imported into the hub's Argo CD. */
export function createEnsureGitOpsClusterAction(options: {
  readonly fleet: FleetAccess;
}) {
  const { fleet } = options;
  return createTemplateAction({
    id: 'argocd-fleet:gitopscluster:ensure',
    description:
      "Makes sure that a GitOpsCluster has the clusters of a Placement imported into the hub's Argo CD, so that ApplicationSets find them; once for a hub, and only for those who may write every ApplicationSet",
    examples: ensureGitOpsClusterExamples,
    supportsDryRun: true,
    schema: {
      input: {
        hub: z => z.string().min(1).describe('Name of the hub'),
        namespace: z => z.string().min(1).describe('Namespace on the hub'),
        placement: z =>
          z
            .string()
            .min(1)
            .describe('Name of a Placement in the same namespace'),
        name: z =>
          z
            .string()
            .min(1)
            .optional()
            .describe(
              'Name of a new GitOpsCluster; by default that of the Placement',
            ),
      },
      output: {
        hub: z => z.string(),
        namespace: z => z.string(),
        name: z =>
          z
            .string()
            .describe(
              'Name of the GitOpsCluster that imports them, which may have been there under another name',
            ),
        result: z =>
          z
            .enum(['created', 'updated', 'unchanged', 'dryRun'])
            .describe('What was done on the hub'),
      },
    },
    async handler(ctx) {
      const { hub, namespace, placement, name = placement } = ctx.input;
      const body = { placement };
      let used = name;
      await putOnHub({
        ...{ ctx, fleet, kind: 'GitOpsCluster', body },
        ref: { hub, namespace, name },
        put: async (ref, request) => {
          const written = await fleet.client.putGitOpsCluster(
            ref,
            body,
            request,
          );
          used = written.ref.name;
          return written;
        },
      });
      ctx.output('name', used);
    },
  });
}
