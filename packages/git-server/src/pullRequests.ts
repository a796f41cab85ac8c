import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMITTER, git, gitStatus } from './git';
import type { GitRepositories, RepositoryName } from './gitRepositories';

/** A request to merge one branch of a repository into another. */
export interface PullRequest {
  /** From 1. */
  readonly number: number;
  /** The branch that it changes. */
  readonly base: string;
  /** The branch with the changes. */
  readonly head: string;
  readonly title: string;
  readonly body: string;
  /** The merge commit; undefined while it is open. */
  readonly merged?: string;
  /** What it compared when it was merged. */
  readonly range?: readonly [base: string, head: string];
}

export interface Commit {
  readonly sha: string;
  readonly author: string;
  /** RFC 3339. */
  readonly date: string;
  readonly message: string;
}

/** Thrown where a pull request cannot be made or merged; the status is that of Gitea. */
export class PullRequestError extends Error {
  constructor(
    message: string,
    readonly status: 404 | 405 | 409 | 422,
  ) {
    super(message);
  }
}

/** The pull requests of the repositories: each keeps its own in a file. */
export interface PullRequests {
  list(repository: RepositoryName): readonly PullRequest[];
  get(repository: RepositoryName, number: number): PullRequest | undefined;
  /** @throws PullRequestError where a branch is missing, brings nothing, or has one for that base already */
  open(
    repository: RepositoryName,
    request: Pick<PullRequest, 'base' | 'head' | 'title' | 'body'>,
  ): PullRequest;
  /** Merges by a commit of its own. @throws PullRequestError where it is merged already, or where the branches conflict */
  merge(repository: RepositoryName, number: number): PullRequest;
  /** Commits that the head has and the base has not, newest first; undefined where one of both does not exist. */
  commits(
    repository: RepositoryName,
    base: string,
    head: string,
  ): readonly Commit[] | undefined;
  /** The latest commits of a revision that changed a file or folder, newest first; undefined where there is no such revision. */
  history(
    repository: RepositoryName,
    options: { revision: string; path: string; limit: number },
  ): readonly Commit[] | undefined;
  /** What the pull request changes, as `git diff` shows it. */
  diff(repository: RepositoryName, request: PullRequest): string;
}

export function createPullRequests(
  repositories: GitRepositories,
): PullRequests {
  function directoryOf(repository: RepositoryName): string {
    const directory = repositories.directoryOf(repository);
    if (!directory) {
      throw new PullRequestError('There is no such repository', 404);
    }
    return directory;
  }

  function list(repository: RepositoryName): readonly PullRequest[] {
    const file = fileOf(directoryOf(repository));
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  }

  function save(repository: RepositoryName, request: PullRequest) {
    const others = list(repository).filter(
      ({ number }) => number !== request.number,
    );
    const all = [...others, request].sort((a, b) => a.number - b.number);
    writeFileSync(fileOf(directoryOf(repository)), JSON.stringify(all));
    return request;
  }

  function branch(repository: RepositoryName, name: string): string {
    const commit = repositories.resolve(repository, `refs/heads/${name}`);
    if (!commit) {
      throw new PullRequestError(`There is no branch ${name}`, 404);
    }
    return commit;
  }

  function commits(repository: RepositoryName, base: string, head: string) {
    const [from, to] = [base, head].map(revision =>
      repositories.resolve(repository, revision),
    );
    if (!from || !to) {
      return undefined;
    }
    return log(directoryOf(repository), [`${from}..${to}`]);
  }

  function rangeOf(repository: RepositoryName, request: PullRequest) {
    return (
      request.range ??
      ([
        branch(repository, request.base),
        branch(repository, request.head),
      ] as const)
    );
  }

  return {
    list,
    get: (repository, number) =>
      list(repository).find(request => request.number === number),
    open(repository, request) {
      const { base, head } = request;
      branch(repository, base);
      branch(repository, head);
      const all = list(repository);
      if (
        all.some(
          each => !each.merged && each.base === base && each.head === head,
        )
      ) {
        throw new PullRequestError(
          `There is a pull request from ${head} to ${base} already`,
          409,
        );
      }
      if (commits(repository, base, head)?.length === 0) {
        throw new PullRequestError(
          `${head} has nothing that ${base} lacks`,
          422,
        );
      }
      return save(repository, { ...request, number: all.length + 1 });
    },
    merge(repository, number) {
      const request = list(repository).find(each => each.number === number);
      if (!request) {
        throw new PullRequestError(`There is no pull request ${number}`, 404);
      }
      if (request.merged) {
        throw new PullRequestError(`It is merged already`, 405);
      }
      const directory = directoryOf(repository);
      const range = rangeOf(repository, request);
      const [base, head] = range;
      const { ok, output } = gitStatus(directory, [
        ...['merge-tree', '--write-tree', base, head],
      ]);
      if (!ok) {
        throw new PullRequestError(
          `${request.head} and ${request.base} conflict: ${output.trim()}`,
          409,
        );
      }
      const message = `Merge pull request #${number} from ${request.head}\n\n${request.title}`;
      const merged = git(
        directory,
        [
          ...['commit-tree', output.trim(), '-p', base, '-p', head],
          ...['-m', message],
        ],
        undefined,
        COMMITTER,
      )
        .toString()
        .trim();
      git(directory, [
        'update-ref',
        `refs/heads/${request.base}`,
        merged,
        base,
      ]);
      repositories.pushed(repository);
      return save(repository, { ...request, merged, range });
    },
    commits,
    history(repository, { revision, path, limit }) {
      const commit = repositories.resolve(repository, revision);
      return commit === undefined
        ? undefined
        : log(directoryOf(repository), [
            `--max-count=${limit}`,
            commit,
            '--',
            // As it is written, without Git's patterns.
            ...(path ? [`:(literal)${path}`] : []),
          ]);
    },
    diff(repository, request) {
      const [base, head] = rangeOf(repository, request);
      return git(directoryOf(repository), [
        ...['diff', '--no-color', '--no-ext-diff', `${base}...${head}`],
      ]).toString();
    },
  };
}

function log(directory: string, args: readonly string[]): Commit[] {
  return git(directory, ['log', '-z', '--format=%H%n%an%n%aI%n%B', ...args])
    .toString()
    .split('\0')
    .filter(entry => entry !== '')
    .map(entry => {
      const [sha, author, date, ...message] = entry.split('\n');
      return { sha, author, date, message: message.join('\n').trim() };
    });
}

function fileOf(directory: string): string {
  return join(directory, 'pull-requests.json');
}
