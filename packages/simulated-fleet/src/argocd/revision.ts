import {
  Application,
  sourcesOf,
  SyncOperation,
} from '../kubernetes/argocdTypes';
import { DeploymentEnvironment } from '../cluster/environment';

/** The resolved revisions of an Application's sources; those of `operation` take precedence. */
export function targetRevisions(
  application: Application,
  { commit }: Pick<DeploymentEnvironment, 'commit'>,
  operation?: SyncOperation,
): { revision?: string; revisions?: string[] } {
  const sources = sourcesOf(application.spec);
  if (application.spec?.sources?.length) {
    return {
      revisions: sources.map((source, index) =>
        commit(source, operation?.sync?.revisions?.[index]),
      ),
    };
  }
  return {
    revision:
      sources[0] && commit(sources[0], operation?.sync?.revision || undefined),
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
