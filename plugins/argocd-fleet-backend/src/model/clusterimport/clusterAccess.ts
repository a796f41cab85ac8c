import type {
  ManagedCluster,
  Secret,
} from 'backstage-plugin-argocd-fleet-common';

/** Where a cluster's API server is, as its registration told the hub. */
export function clientConfigOf({ spec }: ManagedCluster): {
  readonly url?: string;
  readonly caBundle?: string;
} {
  return spec?.managedClusterClientConfigs?.[0] ?? {};
}

/**
 * Argo CD's `config` of a cluster, base64, from the Secret that holds a ManagedServiceAccount's token; undefined where there is no token.
 * The certificate authority is the token's own, or else the one that the cluster registered with, or else one that the hub's Argo CD
 * trusts anyway: the server's certificate is always verified.
 * @see https://argo-cd.readthedocs.io/en/stable/operator-manual/declarative-setup/#clusters
 */
export function clusterConfig(
  { data }: Secret,
  cluster: ManagedCluster,
): string | undefined {
  const bearerToken = Buffer.from(data?.token ?? '', 'base64').toString('utf8');
  if (!bearerToken) {
    return undefined;
  }
  const caData = data?.['ca.crt'] || clientConfigOf(cluster).caBundle;
  const config = {
    bearerToken,
    tlsClientConfig: { insecure: false, ...(caData && { caData }) },
  };
  return Buffer.from(JSON.stringify(config)).toString('base64');
}
