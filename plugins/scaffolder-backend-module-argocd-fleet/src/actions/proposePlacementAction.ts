import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, posix } from 'node:path';
import {
  resolveSafeChildPath,
  type UrlReaderService,
} from '@backstage/backend-plugin-api';
import { InputError } from '@backstage/errors';
import type { ScmIntegrationRegistry } from '@backstage/integration';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import {
  RELEASES,
  type ArgocdFleetRequestOptions,
  type ClusterNames,
  type ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import { describeError, describeRef, type FleetAccess } from '../fleetAccess';
import { code } from '../markdown';
import { folderOf } from '../repository/fleetFolder';
import { SOURCE_CONTROLS } from '../repository/hosts';
import { replacePlacementSpec } from '../repository/placementFile';
import { readFolder } from '../repository/readFolder';
import { hostedRepository } from '../repository/sourceControl';
import { readRef, REF_INPUT } from './applicationSetRef';
import { checkLeaving, describeNames, plannedChange } from './placementMove';
import { proposePlacementExamples } from './proposePlacementAction.examples';
import { readSelection, SELECTION_INPUT } from './selectionInput';

/** `argocd-fleet:placement:propose`: the changed manifest of a Placement that a repository keeps, for a pull request. */
export function createProposePlacementAction(options: {
  readonly fleet: FleetAccess;
  readonly integrations: ScmIntegrationRegistry;
  readonly reader: UrlReaderService;
}) {
  const { fleet, integrations, reader } = options;
  return createTemplateAction({
    id: 'argocd-fleet:placement:propose',
    description:
      'Where a repository keeps the Placement of an ApplicationSet: writes its manifest into the workspace with other clusters selected, for a pull request. Where the portal keeps it, does nothing and says so',
    examples: proposePlacementExamples,
    supportsDryRun: true,
    schema: {
      input: {
        ...REF_INPUT,
        ...SELECTION_INPUT,
        leaving: z =>
          z
            .enum(RELEASES)
            .optional()
            .describe(
              'What becomes of what runs on clusters that it leaves; must be given where it leaves any. A repository only has it removed',
            ),
      },
      output: {
        keptInGit: z =>
          z.boolean().describe('Whether a repository keeps the Placement'),
        // The rest is there only where it does.
        changed: z =>
          z
            .boolean()
            .optional()
            .describe('False where it selects that already'),
        type: z =>
          z.enum(SOURCE_CONTROLS).optional().describe('The source control'),
        repoUrl: z =>
          z
            .string()
            .optional()
            .describe('Its repository, as publish actions want it'),
        branchName: z =>
          z.string().optional().describe('The branch for the change'),
        title: z => z.string().optional().describe('Title of the pull request'),
        summary: z =>
          z
            .string()
            .optional()
            .describe(
              'Which clusters it comes to and leaves, in Markdown: the text of the pull request',
            ),
      },
    },
    async handler(ctx) {
      const ref = readRef(ctx.input.applicationSet);
      const selection = readSelection(ctx.input, describeRef(ref));
      const { leaving: release } = ctx.input;
      if (ctx.isDryRun) {
        ctx.logger.info(
          `Would look whether a repository keeps the Placement of ${describeRef(ref)}`,
        );
        ctx.output('keptInGit', false);
        return;
      }
      const token = await fleet.getToken(await ctx.getInitiatorCredentials());
      async function ask<T>(
        call: (request: ArgocdFleetRequestOptions) => Promise<T>,
      ) {
        try {
          return await call({ token, signal: ctx.signal });
        } catch (error) {
          throw new Error(
            `Could not change where ${describeRef(ref)} runs: ${describeError(error)}`,
            { cause: error },
          );
        }
      }
      const used = await ask(request =>
        fleet.client.getPlacementInUse(ref, selection, request),
      );
      const keptInGit = Boolean(used.keptInGit);
      ctx.output('keptInGit', keptInGit);
      if (!keptInGit) {
        ctx.logger.info('The portal keeps its Placement on the hub');
        return;
      }
      const { joining, leaving } = plannedChange(ref, used);
      checkLeaving(ref, leaving, release);
      if (leaving.count > 0 && release !== 'remove') {
        throw new InputError(
          `What ${describeRef(ref)} runs on clusters that it leaves is removed, since a repository keeps its Placement. To keep it there, put the annotation argocd-fleet/release: ${release} into its manifest in Git before, and choose here that it is removed; take it out afterwards.`,
        );
      }
      const proposal = await ask(request =>
        fleet.client.proposePlacement(ref, selection, request),
      );
      const repository = hostedRepository(integrations, proposal.repoURL);
      const folder = folderOf(ref.name);
      const files = await readFolder(reader, ctx, repository, folder, 'HEAD');
      const { name } = proposal.placement;
      const changed = replacePlacementSpec(files, name, proposal.spec);
      if (!changed) {
        throw new InputError(
          `${proposal.repoURL} has no manifest of the Placement ${name} in ${folder}. Change it where it is written.`,
        );
      }
      const { file, text } = changed;
      const { resources } = used.change!;
      const summary = describeProposal(ref, { joining, leaving, resources });
      ctx.logger.info(summary.replaceAll('**', ''));
      ctx.output('summary', summary);
      ctx.output('changed', text !== files.get(file));
      if (text === files.get(file)) {
        return;
      }
      const path = resolveSafeChildPath(
        ctx.workspacePath,
        posix.join(folder, file),
      );
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      const digest = createHash('sha256').update(text).digest('hex');
      ctx.output('type', repository.type);
      ctx.output('repoUrl', repository.repoUrl);
      ctx.output(
        'branchName',
        `move-${ref.namespace}-${ref.name}-${digest.slice(0, 7)}`,
      );
      ctx.output('title', `Change where ${ref.name} runs`);
    },
  });
}

function describeProposal(
  { name }: ObjectRef,
  {
    joining,
    leaving,
    resources,
  }: Readonly<Record<'joining' | 'leaving' | 'resources', ClusterNames>>,
): string {
  const more = resources.count - resources.names.length;
  const running = [
    ...resources.names.map(code),
    ...(more > 0 ? [`${more} more`] : []),
  ].join(', ');
  return [
    ...(joining.count > 0
      ? [`**${name}** comes to ${describeNames(joining)}.`]
      : []),
    ...(leaving.count > 0
      ? [
          `**${name}** leaves ${describeNames(leaving)}. What it runs there is removed${running && `: ${running}`}.`,
        ]
      : []),
    ...(joining.count === 0 && leaving.count === 0
      ? [`**${name}** stays where it is now.`]
      : []),
    "The hub's own Argo CD applies the Placement when this is merged.",
  ].join('\n\n');
}
