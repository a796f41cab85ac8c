import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { git } from './git';
import {
  DEFAULT_BRANCH,
  type FileChange,
  type GitRepositories,
  type RepositoryName,
} from './gitRepositories';
import { answerPullRequestApi } from './pullRequestApi';
import type { PullRequests } from './pullRequests';
import { send } from './send';

/**
 * Answers a request of Gitea's API, as far as Backstage makes them: an organization; a new repository of it; a repository;
 * and of a repository a file, the commit of a revision, an archive, a commit of changed files, and pull requests.
 * @param options - `path` is that after `/api/v1/`; `user` is who is signed in; `refuse` answers whom that is missing
 */
export async function answerApi(
  request: IncomingMessage,
  response: ServerResponse,
  options: {
    readonly repositories: GitRepositories;
    readonly pullRequests: PullRequests;
    readonly url: string;
    readonly path: string;
    readonly user: string | undefined;
    readonly refuse: (message: string) => void;
  },
): Promise<void> {
  const { repositories, pullRequests, url, path, user, refuse } = options;
  const [kind, owner, name, ...rest] = path.split('/').map(decodeURIComponent);
  const route = `${request.method} ${kind}`;
  if (route === 'GET orgs' && name === undefined) {
    send(response, 200, { name: owner, username: owner });
    return;
  }
  if (route === 'POST orgs' && name === 'repos' && rest.length === 0) {
    if (!user) {
      refuse('A new repository needs the user name and the password');
      return;
    }
    const body = (await json(request)) as { name?: unknown };
    const repository = { owner, name: String(body?.name) };
    try {
      if (repositories.create(repository)) {
        send(response, 201, describe(repository, url));
      } else {
        send(
          response,
          409,
          `The repository ${owner}/${repository.name} exists already`,
        );
      }
    } catch (error) {
      send(response, 422, (error as Error).message);
    }
    return;
  }
  const repository = { owner, name };
  if (route === 'POST repos' && rest.join('/') === 'contents') {
    if (!user) {
      refuse('A change needs the user name and the password');
      return;
    }
    try {
      const commit = repositories.commit(
        repository,
        readChange(await json(request)),
      );
      send(response, 201, { commit: { sha: commit } });
    } catch (error) {
      send(response, 422, (error as Error).message);
    }
    return;
  }
  if (
    kind === 'repos' &&
    repositories.has(repository) &&
    (await answerPullRequestApi(request, response, {
      ...{ pullRequests, repository, parts: rest, url },
      mayChange: () => {
        if (!user) {
          refuse('A pull request needs the user name and the password');
        }
        return user !== undefined;
      },
    }))
  ) {
    return;
  }
  const directory =
    route === 'GET repos' && name
      ? repositories.directoryOf(repository)
      : undefined;
  if (!directory) {
    send(response, 404, `There is no ${request.method} ${path}`);
    return;
  }
  const [what, ...parts] = rest;
  if (what === undefined) {
    send(response, 200, describe(repository, url));
  } else if (what === 'contents') {
    const { searchParams } = new URL(request.url ?? '', url);
    const revision = searchParams.get('ref') || DEFAULT_BRANCH;
    sendFile(response, repositories, repository, revision, parts.join('/'));
  } else if (what === 'git' && parts[0] === 'commits') {
    const commit = repositories.resolve(repository, parts.slice(1).join('/'));
    if (commit) {
      send(response, 200, { sha: commit });
    } else {
      send(response, 404, 'There is no such commit');
    }
  } else if (what === 'archive') {
    const revision = parts.join('/').replace(/\.tar\.gz$/, '');
    const commit = repositories.resolve(repository, revision);
    if (commit) {
      const archive = git(directory, [
        'archive',
        '--format=tar.gz',
        `--prefix=${name}/`,
        commit,
      ]);
      response.writeHead(200, { 'Content-Type': 'application/gzip' });
      response.end(archive);
    } else {
      send(response, 404, `There is no revision ${revision}`);
    }
  } else {
    send(response, 404, `There is no ${request.method} ${path}`);
  }
}

/** Gitea's request to change files: contents are base64. @throws Error for one of another form */
function readChange(body: unknown): FileChange {
  const { branch, new_branch, message, files } = (body ?? {}) as Record<
    string,
    unknown
  >;
  if (!Array.isArray(files) || files.length === 0) {
    throw new Error('files: list at least one file');
  }
  return {
    branch: String(branch ?? DEFAULT_BRANCH),
    ...(new_branch !== undefined && { newBranch: String(new_branch) }),
    message: String(message ?? 'Change files'),
    files: Object.fromEntries(
      files.map(({ operation, path, content }) => [
        String(path),
        operation === 'delete'
          ? undefined
          : Buffer.from(String(content), 'base64').toString(),
      ]),
    ),
  };
}

function describe({ owner, name }: RepositoryName, url: string) {
  const page = `${url}/${owner}/${name}`;
  return {
    name,
    full_name: `${owner}/${name}`,
    default_branch: DEFAULT_BRANCH,
    html_url: page,
    clone_url: `${page}.git`,
  };
}

function sendFile(
  response: ServerResponse,
  repositories: GitRepositories,
  repository: RepositoryName,
  revision: string,
  path: string,
) {
  const commit = repositories.resolve(repository, revision);
  const text = commit && repositories.files(repository, commit, path).get(path);
  if (text === undefined) {
    send(response, 404, `There is no file ${path} at ${revision}`);
    return;
  }
  // Backstage's catalog reads the file again only where this has changed.
  response.setHeader('ETag', `"${commit}"`);
  send(response, 200, {
    type: 'file',
    path,
    // By which a later change says what it replaces.
    sha: createHash('sha1')
      .update(`blob ${Buffer.byteLength(text)}\0${text}`)
      .digest('hex'),
    encoding: 'base64',
    content: Buffer.from(text).toString('base64'),
  });
}
