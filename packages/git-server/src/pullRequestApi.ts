import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { DEFAULT_BRANCH, type RepositoryName } from './gitRepositories';
import {
  PullRequestError,
  type Commit,
  type PullRequest,
  type PullRequests,
} from './pullRequests';
import { send } from './send';

/**
 * Answers a request of Gitea's API about pull requests of a repository: what two revisions differ in, the commits of a file or folder, one that is opened,
 * found by its number or by its branches, or merged.
 * @param options - `parts` is the path below the repository; `mayChange` is false, and answered, for who is not signed in
 * @returns false for another path
 */
export async function answerPullRequestApi(
  request: IncomingMessage,
  response: ServerResponse,
  options: {
    readonly pullRequests: PullRequests;
    readonly repository: RepositoryName;
    readonly parts: readonly string[];
    readonly url: string;
    readonly mayChange: () => boolean;
  },
): Promise<boolean> {
  const { pullRequests, repository, url, mayChange } = options;
  const [what, ...parts] = options.parts;
  const show = (pull: PullRequest) => describe(pull, repository, url);
  const route = `${request.method} ${what}`;
  const number = Number(parts[0]);
  try {
    if (route === 'GET compare') {
      const [base, head = ''] = parts.join('/').split('...');
      const commits = pullRequests.commits(repository, base, head);
      if (commits) {
        send(response, 200, {
          total_commits: commits.length,
          commits: commits.map(describeCommit),
        });
      } else {
        send(response, 404, `There is no revision ${base} or ${head}`);
      }
    } else if (route === 'GET commits') {
      const { searchParams } = new URL(request.url ?? '', url);
      const revision = searchParams.get('sha') || DEFAULT_BRANCH;
      const commits = pullRequests.history(repository, {
        revision,
        path: searchParams.get('path') ?? '',
        limit: Math.min(Number(searchParams.get('limit')) || 30, 50),
      });
      if (commits) {
        send(response, 200, commits.map(describeCommit));
      } else {
        send(response, 404, `There is no revision ${revision}`);
      }
    } else if (route === 'POST pulls' && parts.length === 0) {
      if (mayChange()) {
        const wanted = ((await json(request)) ?? {}) as Record<string, unknown>;
        const [base, head, title, body] = ['base', 'head', 'title', 'body'].map(
          key => String(wanted[key] ?? ''),
        );
        const opened = { base, head, title, body };
        send(response, 201, show(pullRequests.open(repository, opened)));
      }
    } else if (route === 'POST pulls' && parts[1] === 'merge') {
      if (mayChange()) {
        send(response, 200, show(pullRequests.merge(repository, number)));
      }
    } else if (route === 'GET pulls') {
      // Two branches, of which either may have slashes, or a number.
      const path = parts.join('/');
      const found = pullRequests
        .list(repository)
        .findLast(({ base, head, ...pull }) =>
          parts.length === 1
            ? pull.number === number
            : path === `${base}/${head}`,
        );
      if (found) {
        send(response, 200, show(found));
      } else {
        send(response, 404, `There is no pull request ${path}`);
      }
    } else {
      return false;
    }
  } catch (error) {
    if (!(error instanceof PullRequestError)) {
      throw error;
    }
    send(response, error.status, error.message);
  }
  return true;
}

function describeCommit({ sha, author, date, message }: Commit) {
  return { sha, commit: { message, author: { name: author, date } } };
}

function describe(
  { number, base, head, title, body, merged }: PullRequest,
  { owner, name }: RepositoryName,
  url: string,
) {
  return {
    number,
    title,
    body,
    state: merged ? 'closed' : 'open',
    merged: merged !== undefined,
    ...(merged && { merge_commit_sha: merged }),
    html_url: `${url}/${owner}/${name}/pulls/${number}`,
    base: { ref: base },
    head: { ref: head },
  };
}
