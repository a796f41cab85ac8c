import type { ServerResponse } from 'node:http';
import {
  DEFAULT_BRANCH,
  type GitRepositories,
  type RepositoryName,
} from './gitRepositories';
import { escapeText, link, listItems, notFound, sendPage } from './page';
import { showPullRequests } from './pullRequestPages';
import type { PullRequests } from './pullRequests';

/**
 * Shows the repositories, the files of one, or one file: `/`, `/owner/name`, `/owner/name/src/branch/<branch>/<path>`, and
 * pull requests. What does not exist is answered with 404, by which Backstage's `publish:gitea` waits for its push.
 * @param options - `merge`: whether the request is to merge the pull request that the path names
 */
export function showPage(
  response: ServerResponse,
  options: {
    readonly repositories: GitRepositories;
    readonly pullRequests: PullRequests;
    readonly url: string;
    readonly pathname: string;
    readonly merge: boolean;
  },
): void {
  const { repositories, pullRequests, url, pathname, merge } = options;
  const [owner, name, src, kind, branch = DEFAULT_BRANCH, ...path] = pathname
    .split('/')
    .filter(Boolean)
    .map(decodeURIComponent);
  const repository = { owner: owner ?? '', name: name ?? '' };
  const isPath = src === undefined || (src === 'src' && kind === 'branch');
  if (owner === undefined) {
    sendPage(response, 200, 'Repositories', listOf(repositories.list()));
  } else if (src === 'pulls' && repositories.has(repository)) {
    showPullRequests(response, pullRequests, repository, {
      number: kind,
      merge,
    });
  } else if (isPath && repositories.has(repository)) {
    showFolder(response, repositories, repository, url, branch, path.join('/'));
  } else {
    notFound(response, pathname);
  }
}

function showFolder(
  response: ServerResponse,
  repositories: GitRepositories,
  repository: RepositoryName,
  url: string,
  branch: string,
  path: string,
) {
  const { owner, name } = repository;
  const commit = repositories.resolve(repository, branch);
  const files = commit
    ? repositories.files(repository, commit, path)
    : new Map<string, string>();
  const title = `${owner}/${name}`;
  const clone = `<pre>git clone ${escapeText(`${url}/${title}.git`)}</pre><p>${link(`/${title}/pulls`, 'Pull requests')}</p>`;
  const text = files.get(path);
  if (text !== undefined) {
    sendPage(
      response,
      200,
      `${title}: ${path}`,
      `<p>${escapeText(branch)}, ${commit?.slice(0, 7)}</p><pre>${escapeText(text)}</pre>`,
    );
  } else if (files.size > 0) {
    const items = [...files.keys()].map(file =>
      link(`/${title}/src/branch/${branch}/${file}`, file),
    );
    sendPage(
      response,
      200,
      title,
      `<p>${escapeText(branch)}, ${commit?.slice(0, 7)}</p>${listItems(items)}${clone}`,
    );
  } else if (path === '' && branch === DEFAULT_BRANCH && !commit) {
    sendPage(response, 404, title, `<p>No commit yet.</p>${clone}`);
  } else {
    notFound(response, `${title}: ${path} at ${branch}`);
  }
}

function listOf(repositories: readonly RepositoryName[]): string {
  return repositories.length === 0
    ? '<p>None yet.</p>'
    : listItems(
        repositories.map(({ owner, name }) =>
          link(`/${owner}/${name}`, `${owner}/${name}`),
        ),
      );
}
