import type { ServerResponse } from 'node:http';
import {
  DEFAULT_BRANCH,
  type GitRepositories,
  type RepositoryName,
} from './gitRepositories';

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color-scheme: light dark }
pre { overflow-x: auto; padding: 1rem; border: 1px solid #8884; border-radius: 4px }
`;

/**
 * Shows the repositories, the files of one, or one file: `/`, `/owner/name`, `/owner/name/src/branch/<branch>/<path>`. What
 * does not exist is answered with 404, by which Backstage's `publish:gitea` waits for its push.
 */
export function showFiles(
  response: ServerResponse,
  repositories: GitRepositories,
  url: string,
  pathname: string,
): void {
  const [owner, name, src, kind, branch = DEFAULT_BRANCH, ...path] = pathname
    .split('/')
    .filter(Boolean)
    .map(decodeURIComponent);
  const repository = { owner: owner ?? '', name: name ?? '' };
  const isPath = src === undefined || (src === 'src' && kind === 'branch');
  if (owner === undefined) {
    sendPage(response, 200, 'Repositories', listOf(repositories.list()));
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
  const clone = `<pre>git clone ${escape(`${url}/${title}.git`)}</pre>`;
  const text = files.get(path);
  if (text !== undefined) {
    sendPage(
      response,
      200,
      `${title}: ${path}`,
      `<p>${escape(branch)}, ${commit?.slice(0, 7)}</p><pre>${escape(text)}</pre>`,
    );
  } else if (files.size > 0) {
    const items = [...files.keys()].map(file =>
      link(`/${title}/src/branch/${branch}/${file}`, file),
    );
    sendPage(
      response,
      200,
      title,
      `<p>${escape(branch)}, ${commit?.slice(0, 7)}</p>${listItems(items)}${clone}`,
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

function listItems(items: readonly string[]): string {
  return `<ul>${items.map(item => `<li>${item}</li>`).join('')}</ul>`;
}

function link(path: string, text: string): string {
  return `<a href="${escape(encodeURI(path))}">${escape(text)}</a>`;
}

function notFound(response: ServerResponse, what: string) {
  sendPage(response, 404, 'Not found', `<p>There is no ${escape(what)}.</p>`);
}

function sendPage(
  response: ServerResponse,
  status: number,
  title: string,
  content: string,
) {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    // The files are anybody's who may push.
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  });
  response.end(
    `<!doctype html><html lang="en"><title>${escape(title)}</title><style>${STYLE}</style><h1>${escape(title)}</h1>${content}</html>`,
  );
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;');
}
