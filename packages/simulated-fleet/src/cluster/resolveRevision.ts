import { createHash } from 'node:crypto';

import { ApplicationSource } from '../kubernetes/argocdTypes';

/**
 * The commit that a source's revision resolves to, where no Git server has the repository: always the same one for the same
 * repository and revision. Commits and chart versions resolve to themselves.
 */
export function resolveRevision(
  source: ApplicationSource,
  revision = source.targetRevision || 'HEAD',
): string {
  if (source.chart || /^[0-9a-f]{40}$/.test(revision)) {
    return revision;
  }
  return createHash('sha1')
    .update(`${source.repoURL}\n${revision}`)
    .digest('hex');
}
