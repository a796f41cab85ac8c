import { createHash } from 'node:crypto';

import {
  Application,
  ApplicationSource,
  sourcesOf,
  SyncOperation,
} from '../kubernetes/argocdTypes';

/**
 * The commit that a source's revision resolves to: always the same one for the
 * same repository and revision. Commits and chart versions resolve to themselves.
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

/** The resolved revisions of an Application's sources; those of `operation` take precedence. */
export function targetRevisions(
  application: Application,
  operation?: SyncOperation,
): { revision?: string; revisions?: string[] } {
  const sources = sourcesOf(application.spec);
  if (application.spec?.sources?.length) {
    return {
      revisions: sources.map((source, index) =>
        resolveRevision(source, operation?.sync?.revisions?.[index]),
      ),
    };
  }
  return {
    revision:
      sources[0] &&
      resolveRevision(sources[0], operation?.sync?.revision || undefined),
  };
}

/** `status.sync.comparedTo` for the current spec. */
export function comparedTo(application: Application) {
  const { source, sources, destination = {} } = application.spec ?? {};
  return {
    ...(sources?.length ? { sources } : { source }),
    destination,
  };
}
