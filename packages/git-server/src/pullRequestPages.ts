import type { ServerResponse } from 'node:http';
import type { RepositoryName } from './gitRepositories';
import { escapeText, link, listItems, notFound, sendPage } from './page';
import {
  PullRequestError,
  type PullRequest,
  type PullRequests,
} from './pullRequests';

/**
 * Shows the pull requests of a repository, or one with its commits and changes, and merges one: `/owner/name/pulls`,
 * `/owner/name/pulls/<number>` and, where `merge` is set, `/owner/name/pulls/<number>/merge`.
 */
export function showPullRequests(
  response: ServerResponse,
  pullRequests: PullRequests,
  repository: RepositoryName,
  options: { readonly number: string | undefined; readonly merge: boolean },
): void {
  const { owner, name } = repository;
  const title = `${owner}/${name}`;
  if (options.number === undefined) {
    const items = pullRequests
      .list(repository)
      .map(pull =>
        link(
          `/${title}/pulls/${pull.number}`,
          `#${pull.number} ${pull.title} (${stateOf(pull)})`,
        ),
      );
    const content = items.length > 0 ? listItems(items) : '<p>None yet.</p>';
    sendPage(response, 200, `${title}: pull requests`, content);
    return;
  }
  const number = Number(options.number);
  const pull = pullRequests.get(repository, number);
  if (!pull) {
    notFound(response, `pull request ${options.number} of ${title}`);
    return;
  }
  if (options.merge) {
    try {
      pullRequests.merge(repository, number);
      response.writeHead(303, { Location: `/${title}/pulls/${number}` });
      response.end();
    } catch (error) {
      if (!(error instanceof PullRequestError)) {
        throw error;
      }
      const content = `<p>${escapeText(error.message)}</p>`;
      sendPage(response, error.status, 'Not merged', content);
    }
    return;
  }
  showPullRequest(response, pullRequests, repository, pull);
}

function showPullRequest(
  response: ServerResponse,
  pullRequests: PullRequests,
  repository: RepositoryName,
  pull: PullRequest,
) {
  const { owner, name } = repository;
  const [base, head] = pull.range ?? [pull.base, pull.head];
  const commits = (pullRequests.commits(repository, base, head) ?? []).map(
    ({ sha, author, message }) =>
      escapeText(`${sha.slice(0, 7)} ${message.split('\n')[0]} (${author})`),
  );
  const merge = pull.merged
    ? ''
    : `<form method="post" action="/${owner}/${name}/pulls/${pull.number}/merge"><button>Merge</button></form>`;
  sendPage(
    response,
    200,
    `${owner}/${name} #${pull.number}: ${pull.title}`,
    [
      `<p>${escapeText(`${stateOf(pull)}: ${pull.head} into ${pull.base}`)}</p>`,
      merge,
      `<pre class="words">${escapeText(pull.body)}</pre>`,
      `<h2>Commits</h2>${listItems(commits)}`,
      `<h2>Changes</h2><pre>${escapeText(pullRequests.diff(repository, pull))}</pre>`,
    ].join(''),
  );
}

function stateOf({ merged }: PullRequest): string {
  return merged ? `Merged as ${merged.slice(0, 7)}` : 'Open';
}
