import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { resolveSafeChildPath } from '@backstage/backend-plugin-api';
import { InputError } from '@backstage/errors';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import type {
  ArgocdFleetRequestOptions,
  ManifestsRequest,
} from 'backstage-plugin-argocd-fleet-common';
import { stringify } from 'yaml';
import { describeError, describeRef, type FleetAccess } from '../fleetAccess';
import {
  APPLICATION_SET_FILE,
  FLEET_FOLDER,
  folderOf,
  PLACEMENT_FILE,
} from '../repository/fleetFolder';
import { repositoryApplication } from '../repository/repositoryApplication';
import {
  APPLICATION_SET_INPUT,
  readApplicationSet,
} from './applicationSetInput';
import { renderExamples } from './renderAction.examples';
import { readSelection, SELECTION_INPUT } from './selectionInput';

/** `argocd-fleet:render`: Placement and ApplicationSet as files, for a repository that the hub's Argo CD applies. */
export function createRenderAction(options: { readonly fleet: FleetAccess }) {
  const { client, getToken } = options.fleet;
  return createTemplateAction({
    id: 'argocd-fleet:render',
    description:
      "Writes a new ApplicationSet and its Placement into the workspace, for a Git repository that the hub's own Argo CD applies; asks the hub before whether it would accept them, and writes nothing there",
    examples: renderExamples,
    supportsDryRun: true,
    schema: {
      input: {
        hub: z => z.string().min(1).describe('Name of the hub'),
        namespace: z => z.string().min(1).describe('Namespace on the hub'),
        name: z => z.string().min(1).describe('Name of the ApplicationSet'),
        ...APPLICATION_SET_INPUT,
        ...SELECTION_INPUT,
        keptIn: z =>
          z
            .object({
              cloneUrl: z
                .string()
                .optional()
                .describe('The repository, as Argo CD on the hub reads it'),
              revision: z
                .string()
                .optional()
                .describe('Its branch; by default the default branch'),
            })
            .describe('Where a later step puts the files'),
      },
      output: {
        annotation: z =>
          z
            .string()
            .describe(
              'Value of the entity annotation argocd-fleet/applicationset that links a component to the ApplicationSet',
            ),
        files: z => z.array(z.string()).describe('Paths in the workspace'),
        application: z =>
          z
            .string()
            .describe(
              "YAML of the Application with which the hub's Argo CD applies them, for a hub that has none",
            ),
        summary: z =>
          z.string().describe('What becomes of the files, in Markdown'),
      },
    },
    async handler(ctx) {
      const { hub, namespace, name, keptIn } = ctx.input;
      const ref = { hub, namespace, name };
      const applicationSet = readApplicationSet(ctx.input);
      const body: ManifestsRequest = {
        applicationSet,
        placement: readSelection(
          ctx.input,
          `Placement ${namespace}/${applicationSet.placement}`,
        ),
      };
      if (!keptIn.cloneUrl && !ctx.isDryRun) {
        throw new InputError(
          `There is no repository for the manifests of ${describeRef(ref)}: the one that is to keep them is unknown, or the portal cannot open a pull request there. Choose that the portal writes Placement and ApplicationSet itself.`,
        );
      }
      const files = [PLACEMENT_FILE, APPLICATION_SET_FILE].map(
        file => `${folderOf(name)}/${file}`,
      );
      const application = repositoryApplication({
        ...{ namespace, folder: FLEET_FOLDER },
        repoURL: keptIn.cloneUrl || '(the repository)',
        revision: keptIn.revision,
      });
      ctx.output('annotation', `${hub}:${namespace}/${name}`);
      ctx.output('files', files);
      ctx.output('application', application);
      ctx.output(
        'summary',
        [
          `The hub's own Argo CD applies \`${files.join('` and `')}\`, which say what runs and on which clusters. To change that, change these files.`,
          `If no Application on the hub "${hub}" reads the folder \`${FLEET_FOLDER}\` of this repository yet, its administrator applies this one, once:`,
          `\`\`\`yaml\n${application}\`\`\``,
        ].join('\n\n'),
      );
      if (ctx.isDryRun) {
        ctx.logger.info(
          `Would write ${files.join(' and ')}: ${JSON.stringify(body)}`,
        );
        return;
      }
      async function ask(request: ArgocdFleetRequestOptions) {
        try {
          return await client.renderManifests(ref, body, request);
        } catch (error) {
          throw new Error(
            `Could not make the manifests of ApplicationSet ${describeRef(ref)}: ${describeError(error)}`,
            { cause: error },
          );
        }
      }
      // Once the hub has them, it would refuse their names.
      const { texts } = await ctx.checkpoint({
        key: 'rendered',
        fn: async () => {
          const token = await getToken(await ctx.getInitiatorCredentials());
          const made = await ask({ token, signal: ctx.signal });
          return {
            texts: [made.placement, made.applicationSet].map(manifest =>
              stringify(manifest),
            ),
          };
        },
      });
      for (const [index, file] of files.entries()) {
        const path = resolveSafeChildPath(ctx.workspacePath, file);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, texts[index]);
        ctx.logger.info(`The hub would accept ${file}`);
      }
    },
  });
}
