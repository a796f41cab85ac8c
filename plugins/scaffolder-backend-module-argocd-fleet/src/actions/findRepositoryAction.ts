import { InputError } from '@backstage/errors';
import type { ScmIntegrationRegistry } from '@backstage/integration';
import {
  createTemplateAction,
  parseRepoUrl,
} from '@backstage/plugin-scaffolder-node';
import { SOURCE_CONTROLS } from '../repository/hosts';
import { findRepositoryExamples } from './findRepositoryAction.examples';

type Location = ReturnType<typeof parseRepoUrl>;

/** The clone addresses of the source controls whose publish actions the template calls. */
const ADDRESSES: Readonly<
  Record<
    string,
    (integrations: ScmIntegrationRegistry, location: Location) => string
  >
> = {
  github: (_, { host, owner, repo }) => `https://${host}/${owner}/${repo}.git`,
  gitlab: ({ gitlab }, { host, owner, repo }) =>
    `${gitlab.byHost(host)?.config.baseUrl}/${owner}/${repo}.git`,
  gitea: ({ gitea }, { host, owner, repo }) =>
    `${gitea.byHost(host)?.config.baseUrl}/${owner}/${repo}.git`,
  bitbucketCloud: (_, { host, workspace, repo }) =>
    `https://${host}/${workspace}/${repo}.git`,
};

/** `argocd-fleet:repository:find`: which source control has a repository, so that a template publishes to it. */
export function createFindRepositoryAction(options: {
  readonly integrations: ScmIntegrationRegistry;
}) {
  const { integrations } = options;
  return createTemplateAction({
    id: 'argocd-fleet:repository:find',
    description:
      'Says which source control a repository belongs to, and the address by which the clusters read it; the repository need not exist',
    examples: findRepositoryExamples,
    supportsDryRun: true,
    schema: {
      input: {
        repoUrl: z =>
          z
            .string()
            .min(1)
            .describe('Repository as the form field RepoUrlPicker writes it'),
      },
      output: {
        type: z =>
          z
            .enum(SOURCE_CONTROLS)
            .describe('The source control, as in the names of its actions'),
        cloneUrl: z =>
          z.string().describe('Address for Git, and for an ApplicationSet'),
      },
    },
    async handler(ctx) {
      const { repoUrl } = ctx.input;
      const location = parseRepoUrl(repoUrl, integrations);
      const { host, owner, workspace, repo } = location;
      const type = integrations.byHost(host)?.type ?? '';
      const address = ADDRESSES[type];
      if (!address) {
        throw new InputError(
          `The template cannot publish to ${host} (${type}), only to ${Object.keys(ADDRESSES).join(', ')}. Choose another host, or copy the template and give it the publish action of ${type}.`,
        );
      }
      if (!(type === 'bitbucketCloud' ? workspace : owner)) {
        throw new InputError(
          `The repository ${repo} on ${host} needs an owner: the organization or group that it belongs to.`,
        );
      }
      const cloneUrl = address(integrations, location);
      ctx.output('type', type as 'github');
      ctx.output('cloneUrl', cloneUrl);
      ctx.logger.info(`The repository is ${cloneUrl} (${type})`);
    },
  });
}
