import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  resolveSafeChildPath,
  type UrlReaderService,
  type UserInfoService,
} from '@backstage/backend-plugin-api';
import {
  ANNOTATION_LOCATION,
  parseEntityRef,
  RELATION_OWNED_BY,
  stringifyEntityRef,
  type Entity,
} from '@backstage/catalog-model';
import { InputError, NotAllowedError } from '@backstage/errors';
import type { ScmIntegrationRegistry } from '@backstage/integration';
import type { CatalogService } from '@backstage/plugin-catalog-node';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import {
  APPLICATION_SET_ENTITY_ANNOTATION,
  applicationSetMatcher,
} from 'backstage-plugin-argocd-fleet-common';
import { annotate } from '../repository/catalogFile';
import { readFileLocation } from '../repository/fileLocation';
import { SOURCE_CONTROLS } from '../repository/hosts';
import { hostedRepository } from '../repository/sourceControl';
import { readRef, REF_INPUT } from './applicationSetRef';
import { linkComponentExamples } from './linkComponentAction.examples';

const KEY = APPLICATION_SET_ENTITY_ANNOTATION;

/** `argocd-fleet:component:link`: the changed catalog file that links a component to one more ApplicationSet. */
export function createLinkComponentAction(options: {
  readonly catalog: CatalogService;
  readonly integrations: ScmIntegrationRegistry;
  readonly reader: UrlReaderService;
  readonly userInfo: UserInfoService;
}) {
  const { catalog, integrations, reader, userInfo } = options;
  return createTemplateAction({
    id: 'argocd-fleet:component:link',
    description:
      'Writes into the workspace the catalog file of a component with one more ApplicationSet in its annotation, for a pull request; says where the component comes from',
    examples: linkComponentExamples,
    supportsDryRun: true,
    schema: {
      input: {
        entityRef: z =>
          z
            .string()
            .min(1)
            .describe('Entity reference of a component that the user owns'),
        ...REF_INPUT,
      },
      output: {
        owner: z => z.string().describe('Entity reference of its owner'),
        cloneUrl: z =>
          z
            .string()
            .optional()
            .describe(
              'Repository of its catalog file, for Git; none where that is in no repository of GitHub, GitLab, Gitea or Bitbucket Cloud',
            ),
        changed: z =>
          z
            .boolean()
            .describe(
              'False where it is linked already, or where a person has to do it',
            ),
        type: z =>
          z.enum(SOURCE_CONTROLS).optional().describe('The source control'),
        repoUrl: z =>
          z
            .string()
            .optional()
            .describe('The repository, as publish actions want it'),
        branchName: z =>
          z.string().optional().describe('The branch for the change'),
        targetBranchName: z =>
          z.string().optional().describe('The branch of the catalog file'),
        title: z => z.string().optional().describe('Title of the pull request'),
        summary: z =>
          z
            .string()
            .describe('What the pull request does, or a person has to do'),
      },
    },
    async handler(ctx) {
      const ref = readRef(ctx.input.applicationSet);
      const named = `${ref.hub}:${ref.namespace}/${ref.name}`;
      const entityRef = stringifyEntityRef(
        parseEntityRef(ctx.input.entityRef, { defaultKind: 'Component' }),
      );
      if (ctx.isDryRun) {
        const summary = `Would link ${entityRef} to ${named}`;
        ctx.logger.info(summary);
        ctx.output('owner', 'group:default/dry-run');
        ctx.output('cloneUrl', 'https://git.example.com/dry/run.git');
        ctx.output('changed', false);
        ctx.output('summary', summary);
        return;
      }
      const credentials = await ctx.getInitiatorCredentials();
      const entity = await catalog.getEntityByRef(entityRef, { credentials });
      if (!entity) {
        throw new InputError(
          `There is no ${entityRef} in the catalog, or you may not see it`,
        );
      }
      const owner = ownersOf(entity)[0];
      const { ownershipEntityRefs } = await userInfo.getUserInfo(credentials);
      if (
        !owner ||
        !ownersOf(entity).some(it => ownershipEntityRefs.includes(it))
      ) {
        throw new NotAllowedError(
          owner
            ? `${entityRef} belongs to ${owner}, which is neither you nor a group that you are in`
            : `${entityRef} has no owner in the catalog, so nobody may have its catalog file changed`,
        );
      }
      ctx.output('owner', owner);
      const { annotations = {} } = entity.metadata;
      const location = readFileLocation(annotations[ANNOTATION_LOCATION]);
      ctx.output('cloneUrl', location?.cloneUrl);

      const finish = (summary: string) => {
        ctx.logger.info(summary);
        ctx.output('changed', false);
        ctx.output('summary', summary);
      };
      const repository = location && findRepository(location.cloneUrl);
      if (location && typeof repository === 'object') {
        ctx.output('type', repository.type);
        ctx.output('repoUrl', repository.repoUrl);
        ctx.output('branchName', `link-${ref.namespace}-${ref.name}`);
        ctx.output('targetBranchName', location.branch);
      }
      if (applicationSetMatcher(annotations[KEY])(ref)) {
        finish(`${entityRef} is linked to ${named} already.`);
        return;
      }
      const byHand = `Add \`${named}\` to the annotation \`${KEY}\` of ${entityRef} yourself`;
      if (!location || !repository) {
        finish(
          `${byHand}: its catalog file, ${annotations[ANNOTATION_LOCATION] ?? 'whose place is not known'}, is in no repository in which the portal can open a pull request.`,
        );
        return;
      }
      if (typeof repository !== 'object') {
        finish(`${byHand}. ${repository}`);
        return;
      }
      const url = annotations[ANNOTATION_LOCATION].slice('url:'.length);
      const file = await reader.readUrl(url, { signal: ctx.signal });
      const { kind, metadata } = entity;
      const { name, namespace = 'default' } = metadata;
      const text = annotate(
        (await file.buffer()).toString(),
        { kind, namespace, name },
        KEY,
        present => (present ? `${present},${named}` : named),
      );
      if (text === undefined) {
        finish(
          `${byHand}: ${url} has it in a form that the portal does not change.`,
        );
        return;
      }
      const path = resolveSafeChildPath(ctx.workspacePath, location.path);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      const summary = `Links ${entityRef} to the ApplicationSet \`${named}\`: its Fleet tab shows it when this is merged.`;
      ctx.logger.info(summary);
      ctx.output('changed', true);
      ctx.output('title', `Link ${name} to the ApplicationSet ${ref.name}`);
      ctx.output('summary', summary);
    },
  });

  /** The repository, or why the portal cannot change it. */
  function findRepository(cloneUrl: string) {
    try {
      return hostedRepository(integrations, cloneUrl);
    } catch (error) {
      if (error instanceof InputError) {
        return error.message;
      }
      throw error;
    }
  }
}

function ownersOf({ relations = [] }: Entity): string[] {
  return relations
    .filter(({ type }) => type === RELATION_OWNED_BY)
    .map(({ targetRef }) => targetRef);
}
