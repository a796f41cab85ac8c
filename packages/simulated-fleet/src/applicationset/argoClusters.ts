import { Secret } from '../kubernetes/coreTypes';

/** A destination cluster of Argo CD. */
export interface ArgoCluster {
  readonly name: string;
  /** The server's URL without trailing slashes. */
  readonly server: string;
  /** The contents of the cluster Secret, if there is one. */
  readonly secret?: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    /** The server's URL as in the Secret. */
    readonly server: string;
    readonly project: string;
  };
}

/** Argo CD's own cluster; it needs no Secret. */
export const IN_CLUSTER: ArgoCluster = {
  name: 'in-cluster',
  server: 'https://kubernetes.default.svc',
};

/** The clusters of Argo CD's cluster Secrets, sorted by the names of the Secrets. */
export function argoClusters(secrets: readonly Secret[]): ArgoCluster[] {
  const text = (secret: Secret, field: string) =>
    Buffer.from(secret.data?.[field] ?? '', 'base64').toString('utf-8');
  return [...secrets]
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    .map(secret => ({
      name: text(secret, 'name'),
      server: text(secret, 'server').replace(/\/+$/, ''),
      secret: {
        labels: secret.metadata.labels ?? {},
        annotations: secret.metadata.annotations ?? {},
        server: text(secret, 'server'),
        project: text(secret, 'project'),
      },
    }));
}

/** All clusters in Argo CD's order: its own cluster is last, unless it has a Secret. */
export function withInCluster(clusters: readonly ArgoCluster[]): ArgoCluster[] {
  return clusters.some(({ server }) => server === IN_CLUSTER.server)
    ? [...clusters]
    : [...clusters, IN_CLUSTER];
}
