import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, posix } from 'node:path';
import {
  resolveSafeChildPath,
  type LoggerService,
  type UrlReaderService,
} from '@backstage/backend-plugin-api';
import { ConflictError, InputError } from '@backstage/errors';
import type { ScmIntegrationRegistry } from '@backstage/integration';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import type {
  ObjectRef,
  Promotion,
} from 'backstage-plugin-argocd-fleet-common';
import { describeError, describeRef, type FleetAccess } from '../fleetAccess';
import { describePromotion } from '../repository/describePromotion';
import { folderOf } from '../repository/fleetFolder';
import { promoteRevision, promoteValues } from '../repository/promoteValues';
import { SOURCE_CONTROLS, type Commit } from '../repository/hosts';
import { readFolder } from '../repository/readFolder';
import {
  hostedRepository,
  type HostedRepository,
} from '../repository/sourceControl';
import { readRef } from './applicationSetRef';
import { preparePromotionExamples } from './preparePromotionAction.examples';

const BRANCH = /^[\w.+@-]+(\/[\w.+@-]+)*$/;
const COMMIT = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/** `argocd-fleet:promotion:prepare`: the changed files of a promotion, and the words of its pull request. */
export function createPreparePromotionAction(options: {
  readonly fleet: FleetAccess;
  readonly integrations: ScmIntegrationRegistry;
  readonly reader: UrlReaderService;
}) {
  const { fleet, integrations, reader } = options;
  return createTemplateAction({
    id: 'argocd-fleet:promotion:prepare',
    description:
      'Writes into the workspace the files of a repository that a pull request has to change, so that the clusters of one ApplicationSet run what those of another one run: images and chart versions, from folder to folder, or the revision in a manifest that the repository keeps',
    examples: preparePromotionExamples,
    supportsDryRun: true,
    schema: {
      input: {
        from: z =>
          z
            .string()
            .min(1)
            .describe(
              'The ApplicationSet whose versions are promoted, as hub:namespace/name',
            ),
        to: z =>
          z
            .string()
            .min(1)
            .describe(
              'The ApplicationSet that is to get them, as hub:namespace/name; it deploys another folder of the same repository, or the same one where the repository keeps it',
            ),
        allowIncomplete: z =>
          z
            .boolean()
            .optional()
            .describe(
              'Promote also what does not run on every cluster of `from`, synced and healthy',
            ),
      },
      output: {
        changed: z =>
          z.boolean().describe('False where `to` has these versions already'),
        // The rest is there only where something changes.
        type: z => z.enum(SOURCE_CONTROLS).describe('The source control'),
        repoUrl: z =>
          z.string().describe('Its repository, as publish actions want it'),
        branchName: z => z.string().describe('The branch for the changes'),
        targetBranchName: z =>
          z
            .string()
            .optional()
            .describe('The branch that `to` follows; none is the default one'),
        title: z => z.string().describe('Title of the pull request'),
        description: z =>
          z.string().describe('Its text, in Markdown, with all differences'),
        summary: z =>
          z
            .string()
            .describe(
              'The same for who runs the template; always, also where nothing differs',
            ),
      },
    },
    async handler(ctx) {
      const { allowIncomplete = false } = ctx.input;
      const [from, to] = [ctx.input.from, ctx.input.to].map(readRef);
      if (ctx.isDryRun) {
        const summary = `Would prepare the promotion from ${describeRef(from)} to ${describeRef(to)}`;
        ctx.logger.info(summary);
        ctx.output('summary', summary);
        ctx.output('changed', false);
        return;
      }
      const promotion = await ask(from, to);
      const complete = promotion.from.ready === promotion.from.clusters;
      const revision = promotion.from.revision ?? '';
      if (!complete && !allowIncomplete) {
        throw new ConflictError(
          `Only ${promotion.from.ready} of ${promotion.from.clusters} clusters of ${describeRef(from)} run ${revision.slice(0, 7)}, synced and healthy. Wait until all do, see its Fleet tab for what keeps them, or promote it nevertheless (allowIncomplete).`,
        );
      }
      const { repoURL } = promotion.to.source;
      // The manifest of an ApplicationSet is on the default branch, whatever that deploys.
      const targetRevision = promotion.targetRevision
        ? 'HEAD'
        : (promotion.to.source.targetRevision ?? '');
      if (COMMIT.test(targetRevision)) {
        throw new InputError(
          `${describeRef(to)} deploys the commit ${targetRevision.slice(0, 7)} and follows no branch, so a pull request would change nothing on its clusters. Let it follow a branch.`,
        );
      }
      const branch = targetRevision === 'HEAD' ? '' : targetRevision;
      // It becomes a part of addresses.
      if (branch && (!BRANCH.test(branch) || branch.includes('..'))) {
        throw new InputError(
          `${describeRef(to)} follows ${JSON.stringify(branch)}, which is no name of a branch that the portal could open a pull request for`,
        );
      }
      const repository = hostedRepository(integrations, repoURL);
      const folder = promotion.targetRevision
        ? folderOf(to.name)
        : (promotion.to.source.path ?? '.');
      const filesOf = (path: string | undefined, at: string) =>
        readFolder(reader, ctx, repository, pathOf(path), at);
      const before = await filesOf(folder, branch || 'HEAD');
      const promoted = promotion.targetRevision
        ? promoteRevision(before, to.name, promotion.targetRevision)
        : promoteValues(
            await filesOf(promotion.from.source.path, revision),
            before,
          );
      if (!promoted) {
        throw new InputError(
          `The repository has no manifest of the ApplicationSet ${to.name} in ${folder} that names one targetRevision. Change it to ${promotion.targetRevision} where it is written.`,
        );
      }
      promoted.unreadable.forEach(file =>
        ctx.logger.warn(`Left out, since it cannot be read: ${file}`),
      );
      if (promoted.compared === 0) {
        throw new InputError(
          `${promotion.from.source.path} and ${promotion.to.source.path} have no version in common that could be promoted: images of a kustomization, of containers of the same name or of Helm values, or versions of charts. An image that is written once for both, in a base, changes both.`,
        );
      }
      ctx.output('changed', promoted.changes.length > 0);
      if (promoted.changes.length === 0) {
        const summary = `Nothing to promote: ${describeRef(to)} has ${promotion.targetRevision ? 'the revision' : 'the versions'} of ${describeRef(from)} already.`;
        ctx.logger.info(summary);
        ctx.output('summary', summary);
        return;
      }
      for (const [file, text] of promoted.files) {
        const path = resolveSafeChildPath(
          ctx.workspacePath,
          posix.join(folder, file),
        );
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, text);
      }
      const commits = await commitsOf(ctx, repository, promotion, branch);
      const description = describePromotion(
        promotion,
        promoted.changes,
        commits,
      );
      ctx.logger.info(description);
      ctx.output('summary', description);
      ctx.output('type', repository.type);
      ctx.output('repoUrl', repository.repoUrl);
      ctx.output(
        'branchName',
        `promote-${to.namespace}-${to.name}-${revision.slice(0, 7)}`,
      );
      if (branch) {
        ctx.output('targetBranchName', branch);
      }
      ctx.output(
        'title',
        `Promote ${revision.slice(0, 7)} from ${from.name} to ${to.name}`,
      );
      ctx.output('description', description);

      async function ask(source: ObjectRef, target: ObjectRef) {
        const token = await fleet.getToken(await ctx.getInitiatorCredentials());
        try {
          return await fleet.client.preparePromotion(target, source, {
            ...{ token, signal: ctx.signal },
          });
        } catch (error) {
          throw new Error(
            `Could not prepare the promotion to ${describeRef(target)}: ${describeError(error)}`,
            { cause: error },
          );
        }
      }
    },
  });
}

/**
 * The commits up to what runs at `from`, since the folder of `to` last changed; why they are not known, where the source
 * control does not tell. What `to` runs says nothing: it compares with every commit of its branch, and mostly finds nothing new.
 */
async function commitsOf(
  ctx: { readonly logger: LoggerService; readonly signal?: AbortSignal },
  repository: HostedRepository,
  { from, to, targetRevision }: Promotion,
  branch: string,
): Promise<readonly Commit[] | string> {
  try {
    if (targetRevision && to.revision && from.revision) {
      return await repository.commitsBetween(
        to.revision,
        from.revision,
        ctx.signal,
      );
    }
    return await repository.commitsSince(
      { path: pathOf(to.source.path), ...(branch && { branch }) },
      from.revision ?? '',
      ctx.signal,
    );
  } catch (error) {
    const reason = describeError(error);
    ctx.logger.warn(`The commits that it brings are not known: ${reason}`);
    return reason;
  }
}

/** The folder as source controls write it: empty for the root. */
function pathOf(path = '.'): string {
  return path === '.' ? '' : path;
}
