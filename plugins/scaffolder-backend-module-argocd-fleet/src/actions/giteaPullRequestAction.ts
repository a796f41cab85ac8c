import { InputError, ResponseError } from '@backstage/errors';
import {
  getGiteaRequestOptions,
  type ScmIntegrationRegistry,
} from '@backstage/integration';
import {
  createTemplateAction,
  parseRepoUrl,
  serializeDirectoryContents,
} from '@backstage/plugin-scaffolder-node';
import { describeError } from '../fleetAccess';
import { giteaPullRequestExamples } from './giteaPullRequestAction.examples';

interface PullRequest {
  readonly html_url: string;
  readonly state: string;
}

/** `argocd-fleet:gitea:pull-request`: what Backstage has for GitHub, GitLab and Bitbucket, and not for Gitea. */
export function createGiteaPullRequestAction(options: {
  readonly integrations: ScmIntegrationRegistry;
}) {
  const { integrations } = options;
  return createTemplateAction({
    id: 'argocd-fleet:gitea:pull-request',
    description:
      'Opens a pull request on Gitea with the files of the workspace; one that is open already is kept',
    examples: giteaPullRequestExamples,
    supportsDryRun: true,
    schema: {
      input: {
        repoUrl: z =>
          z
            .string()
            .min(1)
            .describe('Repository as the form field RepoUrlPicker writes it'),
        branchName: z =>
          z.string().min(1).describe('The new branch, with the changes'),
        targetBranchName: z =>
          z
            .string()
            .min(1)
            .optional()
            .describe('The branch to change; by default the default branch'),
        title: z => z.string().min(1).describe('Its title'),
        description: z => z.string().optional().describe('Its text'),
      },
      output: {
        pullRequestUrl: z => z.string().describe('Its page'),
      },
    },
    async handler(ctx) {
      const { repoUrl, branchName: head, title, description } = ctx.input;
      const { host, owner, repo } = parseRepoUrl(repoUrl, integrations);
      const config = integrations.gitea.byHost(host)?.config;
      if (!config || !owner) {
        throw new InputError(
          `${repoUrl} is no repository of a Gitea that the portal's configuration has in integrations.gitea`,
        );
      }
      const files = await serializeDirectoryContents(ctx.workspacePath);
      if (ctx.isDryRun) {
        ctx.logger.info(
          `Would open the pull request "${title}" of ${owner}/${repo} with ${files.map(({ path }) => path).join(', ')}`,
        );
        ctx.output(
          'pullRequestUrl',
          `https://${host}/${owner}/${repo}/pulls/1`,
        );
        return;
      }
      const base = config.baseUrl ?? `https://${host}`;
      const api = `${base}/api/v1/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
      const { headers } = getGiteaRequestOptions(config) as {
        headers?: Record<string, string>;
      };

      /** @returns undefined where there is no such thing */
      async function call<T>(
        method: 'GET' | 'POST',
        path: string,
        body?: object,
      ): Promise<T | undefined> {
        const response = await fetch(`${api}${path}`, {
          method,
          headers: { ...headers, 'Content-Type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
          signal: ctx.signal,
        });
        if (method === 'GET' && response.status === 404) {
          return undefined;
        }
        if (!response.ok) {
          throw new Error(
            `Could not open the pull request of ${owner}/${repo}: ${describeError(await ResponseError.fromResponse(response))}`,
          );
        }
        return response.json() as Promise<T>;
      }

      const branch = encodeURIComponent;
      const repository = await call<{ default_branch: string }>('GET', '');
      const target = ctx.input.targetBranchName ?? repository?.default_branch;
      if (!target) {
        throw new InputError(`There is no repository ${owner}/${repo}`);
      }
      const open = await call<PullRequest>(
        'GET',
        `/pulls/${branch(target)}/${branch(head)}`,
      );
      if (open?.state === 'open') {
        ctx.logger.info(`It is open already: ${open.html_url}`);
        ctx.output('pullRequestUrl', open.html_url);
        return;
      }
      if (await call('GET', `/git/commits/${branch(head)}`)) {
        ctx.logger.info(`The branch ${head} exists already, and is kept`);
      } else {
        await call('POST', '/contents', {
          ...{ branch: target, new_branch: head, message: title },
          files: await Promise.all(
            files.map(async ({ path, content }) => {
              const known = await call<{ sha: string }>(
                'GET',
                `/contents/${path.split('/').map(encodeURIComponent).join('/')}?ref=${branch(target)}`,
              );
              return {
                path,
                content: content.toString('base64'),
                ...(known
                  ? { operation: 'update', sha: known.sha }
                  : { operation: 'create' }),
              };
            }),
          ),
        });
      }
      const opened = await call<PullRequest>('POST', '/pulls', {
        ...{ base: target, head, title, body: description ?? '' },
      });
      ctx.logger.info(`Opened ${opened?.html_url}`);
      ctx.output('pullRequestUrl', opened?.html_url ?? '');
    },
  });
}
