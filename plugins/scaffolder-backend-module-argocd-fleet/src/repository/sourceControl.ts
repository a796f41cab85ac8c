import { InputError, ResponseError } from '@backstage/errors';
import type { ScmIntegrationRegistry } from '@backstage/integration';
import {
  encode,
  hosts,
  SOURCE_CONTROLS,
  type Commit,
  type SourceControl,
} from './hosts';

/** A repository as the portal's `integrations` reach it. */
export interface HostedRepository {
  readonly type: SourceControl;
  /** As the form field `RepoUrlPicker` writes it. */
  readonly repoUrl: string;
  /** The page of a folder at a revision, from which Backstage's URL reader reads it. */
  treeUrl(revision: string, path: string): string;
  /**
   * The commits up to a revision since a folder last changed on a branch, newest first; at most those of one page.
   * @param folder - without `path` the root, without `branch` the default one
   * @throws ResponseError where the host does not tell
   */
  commitsSince(
    folder: { readonly path?: string; readonly branch?: string },
    revision: string,
    signal?: AbortSignal,
  ): Promise<readonly Commit[]>;
  /** The commits after one revision up to another one, as {@link commitsSince} has them. @throws ResponseError likewise */
  commitsBetween(
    before: string,
    after: string,
    signal?: AbortSignal,
  ): Promise<readonly Commit[]>;
}

const SCP = /^[^/@:]+@([^/:]+):(?!\/\/)(.+)$/;

/**
 * Finds a repository by the address that an ApplicationSet has.
 * @throws InputError where no integration has its host, or where it is of a kind that this does not know
 */
export function hostedRepository(
  integrations: ScmIntegrationRegistry,
  repoURL: string,
): HostedRepository {
  const [, scpHost, scpPath] = SCP.exec(repoURL) ?? [];
  const url = scpHost ? new URL(`ssh://${scpHost}/${scpPath}`) : parse(repoURL);
  // The port of SSH is not that of the web pages.
  const host = url.protocol === 'ssh:' ? url.hostname : url.host;
  const type = integrations.byHost(host)?.type ?? '';
  if (!isSourceControl(type)) {
    throw new InputError(
      type
        ? `The portal cannot open a pull request on ${host} (${type}), only on GitHub, GitLab, Gitea and Bitbucket Cloud`
        : `The portal's configuration has no entry in \`integrations\` for ${host}, so it cannot open a pull request there. An administrator of this portal can add one.`,
    );
  }
  const base = baseOf(integrations, type, host);
  const path = url.pathname;
  const prefix = new URL(base).pathname.replace(/\/$/, '');
  const below =
    url.protocol !== 'ssh:' && path.startsWith(`${prefix}/`)
      ? path.slice(prefix.length)
      : path;
  const parts = below.split('/').filter(Boolean);
  const repo = (parts.pop() ?? '').replace(/\.git$/, '');
  const owner = parts.join('/');
  const { page, tree, headers, history, compare, commitsIn, oldestFirst } =
    hosts[type](integrations, host, `${base}/${owner}/${repo}`, owner, repo);

  async function commits(address: string, signal: AbortSignal | undefined) {
    const init = { headers: await headers(), signal };
    const response = await fetch(address, init);
    if (!response.ok) {
      throw await ResponseError.fromResponse(response);
    }
    return commitsIn((await response.json()) as never);
  }

  async function commitsBetween(
    before: string,
    after: string,
    signal?: AbortSignal,
  ) {
    const found = await commits(compare(before, after), signal);
    return oldestFirst ? [...found].reverse() : found;
  }

  return {
    type,
    repoUrl: `${host}?${new URLSearchParams({
      [type === 'bitbucketCloud' ? 'workspace' : 'owner']: owner,
      repo,
    })}`,
    treeUrl: (revision, folder) =>
      `${page}/${tree(revision)}/${encode(folder)}`,
    async commitsSince(folder, revision, signal) {
      const [last] = await commits(history(folder), signal);
      return last ? commitsBetween(last.revision, revision, signal) : [];
    },
    commitsBetween,
  };
}

/** The address below which a host has its repositories. */
function baseOf(
  integrations: ScmIntegrationRegistry,
  type: SourceControl,
  host: string,
): string {
  const configured =
    type === 'gitlab' || type === 'gitea'
      ? integrations[type].byHost(host)?.config.baseUrl
      : undefined;
  return (configured ?? `https://${host}`).replace(/\/$/, '');
}

function isSourceControl(type: string): type is SourceControl {
  return SOURCE_CONTROLS.some(known => known === type);
}

function parse(repoURL: string): URL {
  if (!URL.canParse(repoURL)) {
    throw new InputError(`${repoURL} is no address of a Git repository`);
  }
  return new URL(repoURL);
}
