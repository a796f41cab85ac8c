import { GitServer, RepositoryName } from 'git-server';

import { ApplicationSource } from '../kubernetes/argocdTypes';
import { JsonObject } from '../kubernetes/objects';
import { WorkloadResource } from '../scenario/schema';
import { readManifests, readObjects } from './readManifests';

/** What Argo CDs read from a Git server. Sources of other servers are unknown here. */
export interface GitSources {
  /** Whether the Git server is that of the source's repository. */
  has(source: ApplicationSource): boolean;
  /** The commit of the source's revision, or of another one; undefined if there is none. */
  commit(source: ApplicationSource, revision?: string): string | undefined;
  /** What the source deploys at that revision, or Argo CD's reason why that cannot be computed. */
  workload(
    source: ApplicationSource,
    revision?: string,
  ): readonly WorkloadResource[] | string;
  /** The objects of the source's plain manifests at a commit of its repository. */
  objects(source: ApplicationSource, revision: string): readonly JsonObject[];
  /** Calls the listener after each push, as a webhook does. */
  onPush(listener: () => void): void;
}

/** The sources of a running Git server. */
export function createGitSources({ url, repositories }: GitServer): GitSources {
  const computed = new Map<string, readonly WorkloadResource[] | string>();
  repositories.onPush(() => computed.clear());

  function repositoryOf({ repoURL }: ApplicationSource) {
    return repoURL.startsWith(`${url}/`)
      ? nameOf(repoURL.slice(url.length + 1))
      : undefined;
  }

  function commit(source: ApplicationSource, revision?: string) {
    const repository = repositoryOf(source);
    return (
      repository &&
      repositories.resolve(
        repository,
        revision || source.targetRevision || 'HEAD',
      )
    );
  }

  function compute(source: ApplicationSource, revision: string | undefined) {
    const repository = repositoryOf(source);
    if (!repository || !repositories.has(repository)) {
      return 'failed to list refs: repository not found';
    }
    const found = commit(source, revision);
    return found === undefined
      ? `unable to resolve '${revision || source.targetRevision || 'HEAD'}' to a commit SHA`
      : readManifests(
          repositories.files(repository, found, ''),
          source.path ?? '',
          source.directory,
        );
  }

  return {
    has: source => repositoryOf(source) !== undefined,
    commit,
    workload(source, revision) {
      // Every cluster asks for the same, again and again.
      const key = JSON.stringify([source, revision]);
      const known = computed.get(key) ?? compute(source, revision);
      computed.set(key, known);
      return known;
    },
    objects(source, revision) {
      const repository = repositoryOf(source);
      return repository
        ? readObjects(
            repositories.files(repository, revision, ''),
            source.path ?? '',
            source.directory,
          )
        : [];
    },
    onPush: listener => repositories.onPush(() => listener()),
  };
}

function nameOf(path: string): RepositoryName {
  const [owner, name = ''] = path.split('/');
  return { owner, name: name.replace(/\.git$/, '') };
}
