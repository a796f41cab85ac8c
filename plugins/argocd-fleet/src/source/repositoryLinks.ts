import type { Source } from 'backstage-plugin-argocd-fleet-common';

/** URLs of a Git host's pages. */
interface GitWebPages {
  tree(repository: string, revision: string, path: string): string;
  commit(repository: string, revision: string): string;
}

const HOSTS: readonly [RegExp, GitWebPages][] = [
  [
    /(^|\.)github\./,
    {
      tree: (repository, revision, path) =>
        `${repository}/tree/${revision}${path}`,
      commit: (repository, revision) => `${repository}/commit/${revision}`,
    },
  ],
  [
    /gitlab/,
    {
      tree: (repository, revision, path) =>
        `${repository}/-/tree/${revision}${path}`,
      commit: (repository, revision) => `${repository}/-/commit/${revision}`,
    },
  ],
  [
    /(^|\.)bitbucket\.org$/,
    {
      tree: (repository, revision, path) =>
        `${repository}/src/${revision}${path}`,
      commit: (repository, revision) => `${repository}/commits/${revision}`,
    },
  ],
];

/** Host and page of a repository, from any URL form that Git accepts. */
function repositoryPage(
  repoURL: string,
): { readonly host: string; readonly page: string } | undefined {
  const scp = /^[\w.-]+@([\w.-]+):(?!\/\/)(.+)$/.exec(repoURL);
  const address = scp ? `ssh://${scp[1]}/${scp[2]}` : repoURL;
  if (!URL.canParse(address)) {
    return undefined;
  }
  const { protocol, hostname, host, pathname } = new URL(address);
  if (!['https:', 'http:', 'ssh:', 'git:'].includes(protocol)) {
    return undefined;
  }
  // The port of SSH is not that of the web pages.
  const web = protocol.startsWith('http')
    ? `${protocol}//${host}`
    : `https://${hostname}`;
  return {
    host: hostname,
    page: `${web}${pathname.replace(/(?<!\/)\/+$/, '').replace(/\.git$/, '')}`,
  };
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/**
 * URL of the page that shows a source's folder at a revision.
 * @param revision - the source's own by default
 * @returns `undefined` for an unknown host or a Helm chart
 */
export function treePage(
  source: Source,
  revision: string = source.targetRevision || 'HEAD',
): string | undefined {
  const repository = repositoryPage(source.repoURL);
  const pages = HOSTS.find(([host]) => host.test(repository?.host ?? ''))?.[1];
  if (!repository || !pages || source.chart) {
    return undefined;
  }
  const path = (source.path ?? '').replace(/^\.?\/*|(?<!\/)\/+$/g, '');
  return pages.tree(
    repository.page,
    encodePath(revision),
    path && `/${encodePath(path)}`,
  );
}

/** URL of a commit's page; `undefined` for an unknown host or a revision that is no commit. */
export function commitPage(
  source: Source | undefined,
  revision: string,
): string | undefined {
  const repository = source && repositoryPage(source.repoURL);
  const pages = HOSTS.find(([host]) => host.test(repository?.host ?? ''))?.[1];
  return repository && pages && isCommit(revision)
    ? pages.commit(repository.page, revision)
    : undefined;
}

/** A source without its revision, as `repository / path`. */
export function nameSource(source: Source): string {
  const repository =
    repositoryPage(source.repoURL)?.page.split('/').pop() || source.repoURL;
  const folder = source.chart ?? source.path;
  return `${repository}${folder && folder !== '.' ? ` / ${folder}` : ''}`;
}

/** A source in one line, as `repository / path @ revision`. */
export function describeSource(source: Source): string {
  return `${nameSource(source)} @ ${source.targetRevision || 'HEAD'}`;
}

/** Whether a revision is the full hash of a commit: a tag may have digits only. */
function isCommit(revision: string): boolean {
  return /^[0-9a-f]{40}([0-9a-f]{24})?$/i.test(revision);
}

/** The first seven digits of a commit, twelve of an image's digest; any other revision (a tag, a chart version) unchanged. */
export function shortRevision(revision: string): string {
  if (isCommit(revision)) {
    return revision.slice(0, 7);
  }
  const [digest] = /^sha256:[0-9a-f]{12}/i.exec(revision) ?? [];
  return digest ?? revision;
}
