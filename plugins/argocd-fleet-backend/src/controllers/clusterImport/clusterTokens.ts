import type {
  Finding,
  ManagedCluster,
} from 'backstage-plugin-argocd-fleet-common';
import { FLEET_RESOURCES, type FleetCache } from '../../fleet';
import { configFingerprint } from '../../fleet/transforms';
import {
  isKubernetesError,
  objectKey,
  type KubernetesClient,
} from '../../kubernetes/client';
import {
  clientConfigOf,
  clusterConfig,
  type ClusterAccess,
  type StoredSecret,
} from '../../model/clusterimport';
import { clusterImportFindings } from '../../model/findings';
import { sameJson } from '../../model/json';

/** How Argo CD reaches clusters as their ManagedServiceAccounts. */
export interface ClusterTokens {
  /**
   * The access to a cluster, or why there is none.
   * @param existing - the cluster's Secret; the token is read only if the Secret may hold another
   */
  accessTo(
    cluster: ManagedCluster,
    serviceAccount: string,
    existing: StoredSecret | undefined,
    signal: AbortSignal,
  ): Promise<ClusterAccess | Finding>;
}

/**
 * Creates the tokens of one hub. No token is kept: a ManagedServiceAccount reports when its token was last renewed, so
 * the configuration made of it is valid until then, and its fingerprint shows whether a cluster's Secret holds it.
 */
export function createClusterTokens(options: {
  readonly cache: FleetCache;
  readonly client: KubernetesClient;
}): ClusterTokens {
  const { cache, client } = options;
  const known = new Map<
    string,
    { readonly sources: readonly unknown[]; readonly fingerprint: string }
  >();

  return {
    async accessTo(cluster, serviceAccount, existing, signal) {
      const { name } = cluster.metadata;
      const { url: server, caBundle } = clientConfigOf(cluster);
      const place = { namespace: name, name: serviceAccount };
      const object = { kind: 'ManagedServiceAccount', ...place };
      const noToken = (evidence: string) =>
        clusterImportFindings.noToken(name, serviceAccount, {
          evidence,
          object,
        });
      const account = cache.managedServiceAccounts.get(objectKey(place));
      const ref = account?.status?.tokenSecretRef;
      if (!server) {
        return noToken(
          'The ManagedCluster has no URL in spec.managedClusterClientConfigs',
        );
      }
      if (!account || !ref?.name) {
        return noToken(
          account
            ? 'The ManagedServiceAccount reports no token in status.tokenSecretRef'
            : 'There is no such ManagedServiceAccount in the namespace of the cluster',
        );
      }

      const key = `${objectKey(place)} ${ref.name}`;
      const sources = [
        account.metadata.uid,
        ref.lastRefreshTimestamp,
        caBundle,
      ];
      const before = known.get(key);
      if (
        before &&
        sameJson(before.sources, sources) &&
        existing?.configFingerprint === before.fingerprint
      ) {
        return { serviceAccount, server, fingerprint: before.fingerprint };
      }
      const secretName = { namespace: name, name: ref.name };
      try {
        const secret = await client.get(
          FLEET_RESOURCES.clusterSecrets,
          secretName,
          { signal },
        );
        const config = clusterConfig(secret, cluster);
        if (!config) {
          return noToken(`Secret ${objectKey(secretName)} holds no token`);
        }
        const fingerprint = configFingerprint(config);
        known.set(key, { sources, fingerprint });
        return { serviceAccount, server, fingerprint, config };
      } catch (error) {
        if (isKubernetesError(error, 'notFound', 'forbidden')) {
          return noToken(error.message);
        }
        throw error;
      }
    },
  };
}
