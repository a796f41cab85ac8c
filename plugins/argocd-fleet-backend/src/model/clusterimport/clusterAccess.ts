import type {
  ManagedCluster,
  Secret,
} from 'backstage-plugin-argocd-fleet-common';

/** Address of a cluster's API server, from its registration. */
export function clientConfigOf({ spec }: ManagedCluster): {
  readonly url?: string;
  readonly caBundle?: string;
} {
  return spec?.managedClusterClientConfigs?.[0] ?? {};
}

/**
 * Argo CD's `config` of a cluster, base64, from the Secret that holds a ManagedServiceAccount's token; undefined where
 * there is no token. The certificate authority is that of the token, else the one that the cluster registered with,
 * else one that the hub's Argo CD already trusts: the server's certificate is always verified.
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
