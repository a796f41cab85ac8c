import {
  DefaultGithubCredentialsProvider,
  getBitbucketCloudRequestOptions,
  getGiteaRequestOptions,
  getGitLabRequestOptions,
  type ScmIntegrationRegistry,
} from '@backstage/integration';

/** The source controls whose actions templates call, by the type of their integration. */
export const SOURCE_CONTROLS = [
  'github',
  'gitlab',
  'gitea',
  'bitbucketCloud',
] as const;

export type SourceControl = (typeof SOURCE_CONTROLS)[number];

/** Of a commit, what a reviewer needs. */
export interface Commit {
  readonly revision: string;
  readonly author: string;
  /** Its first line. */
  readonly subject: string;
}

/** A host's address of the repository, and how its API is asked for commits. */
export interface Host {
  /** Page of the repository, without a slash at its end. */
  readonly page: string;
  /** Between the page and the path of a folder. */
  readonly tree: (revision: string) => string;
  /** Headers of requests. */
  readonly headers: () => Promise<Record<string, string> | undefined>;
  /** Address of the latest commits of a folder; the parameters mean the same everywhere, by other names. */
  readonly history: (folder: { path?: string; branch?: string }) => string;
  /** Address of the commits that `head` has and `base` has not. */
  readonly compare: (base: string, head: string) => string;
  /** The commits in an answer to either. */
  readonly commitsIn: (answer: never) => readonly Commit[];
  /** Whether a comparison answers with the oldest commit first. */
  readonly oldestFirst: boolean;
}

/** What is different from one source control to the next. */
export const hosts: Readonly<
  Record<
    SourceControl,
    (
      integrations: ScmIntegrationRegistry,
      host: string,
      page: string,
      owner: string,
      repo: string,
    ) => Host
  >
> = {
  github: (integrations, host, page, owner, repo) => {
    const { apiBaseUrl } = integrations.github.byHost(host)!.config;
    const api = `${apiBaseUrl}/repos/${owner}/${repo}`;
    return {
      page,
      tree: revision => `tree/${encode(revision)}`,
      headers: async () =>
        (
          await DefaultGithubCredentialsProvider.fromIntegrations(
            integrations,
          ).getCredentials({ url: page })
        ).headers,
      history: ({ path, branch: sha }) =>
        `${api}/commits?${query({ path, sha, per_page: '1' })}`,
      compare: (base, head) => `${api}/compare/${base}...${head}`,
      commitsIn: githubCommits,
      oldestFirst: true,
    };
  },
  gitea: (integrations, host, page, owner, repo) => {
    const { config } = integrations.gitea.byHost(host)!;
    const api = `${config.baseUrl ?? `https://${host}`}/api/v1/repos/${owner}/${repo}`;
    return {
      page,
      tree: revision => `src/branch/${revision}`,
      headers: async () =>
        (
          getGiteaRequestOptions(config) as {
            headers?: Record<string, string>;
          }
        ).headers,
      history: ({ path, branch: sha }) =>
        `${api}/commits?${query({ path, sha, limit: '1' })}`,
      compare: (base, head) => `${api}/compare/${base}...${head}`,
      commitsIn: githubCommits,
      oldestFirst: false,
    };
  },
  gitlab: (integrations, host, page, owner, repo) => {
    const { config } = integrations.gitlab.byHost(host)!;
    const project = encodeURIComponent(`${owner}/${repo}`);
    const api = `${config.apiBaseUrl}/projects/${project}/repository`;
    return {
      page,
      tree: revision => `-/tree/${encode(revision)}`,
      headers: async () => getGitLabRequestOptions(config).headers,
      history: ({ path, branch }) =>
        `${api}/commits?${query({ path, ref_name: branch, per_page: '1' })}`,
      compare: (from, to) => `${api}/compare?${query({ from, to })}`,
      commitsIn: (answer: GitlabCommit[] | { commits: GitlabCommit[] }) =>
        ('commits' in answer ? answer.commits : answer).map(
          ({ id, author_name, message }) => commit(id, author_name, message),
        ),
      oldestFirst: true,
    };
  },
  bitbucketCloud: (integrations, host, page, workspace, repo) => {
    const { config } = integrations.bitbucketCloud.byHost(host)!;
    const api = `${config.apiBaseUrl}/repositories/${workspace}/${repo}/commits`;
    return {
      page,
      tree: revision => `src/${encode(revision)}`,
      headers: async () =>
        (await getBitbucketCloudRequestOptions(config)).headers,
      history: ({ path, branch }) =>
        `${api}/${branch ? encode(branch) : ''}?${query({ path, pagelen: '1' })}`,
      compare: (exclude, include) =>
        `${api}?${query({ include, exclude, pagelen: '100' })}`,
      commitsIn: ({ values }: { values: BitbucketCommit[] }) =>
        values.map(({ hash, author, message }) =>
          commit(hash, author.raw, message),
        ),
      oldestFirst: false,
    };
  },
};

interface GithubCommit {
  readonly sha: string;
  readonly commit: {
    readonly message: string;
    readonly author?: { readonly name?: string };
  };
}

interface GitlabCommit {
  readonly id: string;
  readonly author_name: string;
  readonly message: string;
}

interface BitbucketCommit {
  readonly hash: string;
  readonly author: { readonly raw: string };
  readonly message: string;
}

function githubCommits(
  answer: GithubCommit[] | { commits: GithubCommit[] },
): Commit[] {
  return ('commits' in answer ? answer.commits : answer).map(
    ({ sha, commit: of }) => commit(sha, of.author?.name ?? '', of.message),
  );
}

function commit(revision: string, author: string, message: string): Commit {
  return { revision, author, subject: message.split('\n')[0] };
}

/** A path or branch in an address. */
export function encode(text: string): string {
  return text.split('/').map(encodeURIComponent).join('/');
}

function query(parameters: Readonly<Record<string, string | undefined>>) {
  return new URLSearchParams(
    Object.entries(parameters).flatMap(([key, value]) =>
      value ? [[key, value]] : [],
    ),
  );
}
