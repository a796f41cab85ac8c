import type { Source } from 'backstage-plugin-argocd-fleet-common';

/** Where a Git host shows things. */
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

/** Host and web address of a repository, from any spelling that Git understands. */
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
  // The port of ssh is not the one of the web pages.
  const web = protocol.startsWith('http')
    ? `${protocol}//${host}`
    : `https://${hostname}`;
  return {
    host: hostname,
    page: `${web}${pathname.replace(/\/+$/, '').replace(/\.git$/, '')}`,
  };
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/**
 * Page that shows a source's folder at a revision.
 * @param revision - where it differs from what the source asks for
 * @returns `undefined` where the host is not one whose pages are known
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
  const path = (source.path ?? '').replace(/^\.?\/*|\/+$/g, '');
  return pages.tree(
    repository.page,
    encodePath(revision),
    path && `/${encodePath(path)}`,
  );
}

/** Page that shows a commit; `undefined` where the host's pages are not known or the revision is no commit. */
export function commitPage(
  source: Source | undefined,
  revision: string,
): string | undefined {
  const repository = source && repositoryPage(source.repoURL);
  const pages = HOSTS.find(([host]) => host.test(repository?.host ?? ''))?.[1];
  return repository && pages && /^[0-9a-f]{7,64}$/i.test(revision)
    ? pages.commit(repository.page, revision)
    : undefined;
}

/** A source without its revision, as `repository / path`. */
export function nameSource(source: Source): string {
  const repository =
    repositoryPage(source.repoURL)?.page.split('/').pop() || source.repoURL;
  const what = source.chart ?? source.path;
  return `${repository}${what && what !== '.' ? ` / ${what}` : ''}`;
}

/** A source in one line, as `repository / path @ revision`. */
export function describeSource(source: Source): string {
  return `${nameSource(source)} @ ${source.targetRevision || 'HEAD'}`;
}

/** A commit as people write it; anything else (a tag, a chart version) as it is. */
export function shortRevision(revision: string): string {
  return /^[0-9a-f]{40}([0-9a-f]{24})?$/i.test(revision)
    ? revision.slice(0, 7)
    : revision;
}
