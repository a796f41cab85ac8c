import { createHash } from 'node:crypto';

import {
  Application,
  ApplicationSource,
  ApplicationSpec,
  SyncOperation,
} from '../kubernetes/argocdTypes';

/**
 * What a source's targetRevision resolves to: the same commit every time for
 * the same repository and revision; a commit is itself, as is a chart's version.
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

/** The sources of an Application, one or several. */
export function sourcesOf(
  spec: ApplicationSpec | undefined,
): ApplicationSource[] {
  if (spec?.sources?.length) {
    return spec.sources;
  }
  return spec?.source ? [spec.source] : [];
}

/** The revision or revisions that an Application should be at. */
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

/** What `status.sync.comparedTo` holds for the spec as it is. */
export function comparedTo(application: Application) {
  const { source, sources, destination = {} } = application.spec ?? {};
  return {
    ...(sources?.length ? { sources } : { source }),
    destination,
  };
}
