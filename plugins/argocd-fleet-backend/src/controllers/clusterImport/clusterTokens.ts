import {
  isObjectName,
  type Finding,
  type ManagedCluster,
} from 'backstage-plugin-argocd-fleet-common';
import { FLEET_RESOURCES, type FleetCache } from '../../fleet';
import { configFingerprint } from '../../fleet/transforms';
import {
  isKubernetesError,
  objectKey,
  type KubernetesClient,
} from '../../kubernetes/client';
import {
  addressProblem,
  clientConfigOf,
  clusterAddresses,
  clusterConfig,
  clusterSecretName,
  heldServer,
  type ClusterAccess,
} from '../../model/clusterimport';
import { clusterImportFindings } from '../../model/findings';
import { sameJson } from '../../model/json';
import { shownText } from '../../model/text';

/** Characters of an illegal name in a finding. */
const EVIDENCE_LENGTH = 300;

/** How Argo CD reaches clusters as their ManagedServiceAccounts. */
export interface ClusterTokens {
  /**
   * The access to a cluster, or why there is none.
   * @param argoNamespace - where the cluster's Secret is; the token is read only if the Secret may hold another
   */
  accessTo(
    cluster: ManagedCluster,
    serviceAccount: string,
    argoNamespace: string,
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
  readonly hubUrls: () => Promise<readonly string[]>;
}): ClusterTokens {
  const { cache, client, hubUrls } = options;
  const known = new Map<
    string,
    { readonly sources: readonly unknown[]; readonly fingerprint: string }
  >();

  function secretOf({ metadata }: ManagedCluster, namespace: string) {
    return cache.clusterSecrets.get(
      objectKey({ namespace, name: clusterSecretName(metadata.name) }),
    );
  }

  return {
    async accessTo(cluster, serviceAccount, argoNamespace, signal) {
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
      const problem = addressProblem(cluster, server, {
        hub: await hubUrls(),
        others: clusterAddresses(cluster).flatMap(address =>
          cache.clusters.by('address', address),
        ),
        heldBy: holder => heldServer(secretOf(holder, argoNamespace)),
      });
      if (problem) {
        return clusterImportFindings.addressRefused(name, {
          evidence: `${server}\n${problem}`,
          object: { kind: 'ManagedCluster', name },
        });
      }
      if (!account || !ref?.name) {
        return noToken(
          account
            ? 'The ManagedServiceAccount reports no token in status.tokenSecretRef'
            : 'There is no such ManagedServiceAccount in the namespace of the cluster',
        );
      }

      if (!isObjectName(ref.name)) {
        return clusterImportFindings.illegalTokenSecret(name, serviceAccount, {
          evidence: shownText(ref.name).slice(0, EVIDENCE_LENGTH),
          object,
        });
      }
      const existing = secretOf(cluster, argoNamespace);
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
