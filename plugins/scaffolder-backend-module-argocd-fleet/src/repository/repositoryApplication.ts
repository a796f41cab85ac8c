import { stringify } from 'yaml';

/** Longest name of an Application without its suffix; Argo CD puts the name into a label. */
const MAX_NAME = 50;

/**
 * YAML of the Application with which the hub's Argo CD applies the manifests in a folder of a repository, and in the folders
 * below. It prunes nothing: a file that vanishes from the repository would delete what runs on every cluster.
 */
export function repositoryApplication(options: {
  /** Of Argo CD, and of what it applies. */
  readonly namespace: string;
  readonly repoURL: string;
  /** Default: the default branch. */
  readonly revision?: string;
  readonly folder: string;
}): string {
  const { namespace, repoURL, revision, folder } = options;
  return stringify({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: `${nameOf(repoURL)}-${folder}`, namespace },
    spec: {
      project: 'default',
      source: {
        repoURL,
        path: folder,
        targetRevision: revision || 'HEAD',
        directory: { recurse: true },
      },
      destination: { server: 'https://kubernetes.default.svc', namespace },
      syncPolicy: { automated: { prune: false, selfHeal: true } },
    },
  });
}

/** Owner and name of the repository, as far as they may be in the name of an object. */
function nameOf(repoURL: string): string {
  const parts = repoURL
    .replace(/\.git$/, '')
    .split(/[/:]/)
    .filter(Boolean)
    .slice(-2)
    .join('-')
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter(Boolean);
  return parts.join('-').slice(-MAX_NAME).split('-').filter(Boolean).join('-');
}
