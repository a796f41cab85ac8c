import { Secret } from '../kubernetes/coreTypes';

/** A cluster that Argo CD knows. */
export interface ArgoCluster {
  readonly name: string;
  /** Without the slashes at its end. */
  readonly server: string;
  /** What only a cluster with a Secret has. */
  readonly secret?: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    /** As it is written in the Secret. */
    readonly server: string;
    readonly project: string;
  };
}

/** Argo CD's own cluster, which needs no Secret. */
export const IN_CLUSTER: ArgoCluster = {
  name: 'in-cluster',
  server: 'https://kubernetes.default.svc',
};

/** The clusters that Argo CD has Secrets for, in the order of the Secrets' names. */
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

/** The clusters as Argo CD lists them: its own comes last, unless a Secret describes it. */
export function withInCluster(clusters: readonly ArgoCluster[]): ArgoCluster[] {
  return clusters.some(({ server }) => server === IN_CLUSTER.server)
    ? [...clusters]
    : [...clusters, IN_CLUSTER];
}
