import type { RunningRevision } from 'backstage-plugin-argocd-fleet-common';
import { shortRevision } from '../source/repositoryLinks';

/** A version as people wrote it, and the commits behind it; shortened, one for each source. */
export interface VersionText {
  /** The texts of the spec, or the commits where these are not known. */
  readonly name: string;
  /** Undefined where the name says it already. */
  readonly commit?: string;
}

/** Sources mostly have the same text or commit: it is said once. */
function joined(parts: readonly string[]): string {
  return [...new Set(parts.map(shortRevision))].join(' + ');
}

/**
 * A version to show.
 * @param texts - `targetRevision` of each source
 * @param version - the revisions that these are, separated by spaces, as in the API
 */
export function versionText(
  texts: readonly string[] = [],
  version: string = '',
): VersionText {
  const commit = joined(version.split(' ').filter(Boolean));
  const name = joined(texts);
  return name && commit && name !== commit
    ? { name, commit }
    : { name: name || commit };
}

/** Finds how people call a version: by the newest comparison of any cluster of the set. */
export function textsOfVersion(
  revisions: readonly RunningRevision[],
  version: string,
): readonly string[] | undefined {
  return revisions.find(({ revision }) => revision === version)
    ?.targetRevisions;
}
