import {
  SECRET_TYPE_LABEL,
  type Finding,
  type Secret,
} from 'backstage-plugin-argocd-fleet-common';
import {
  createAuthorisationWaiters,
  FLEET_RESOURCES,
  type AuthorisationWaiters,
  type FleetCache,
} from '../../fleet';
import { configFingerprint } from '../../fleet/transforms';
import {
  findObject,
  isKubernetesError,
  objectKey,
  type KubernetesClient,
  type ObjectName,
} from '../../kubernetes/client';
import {
  clusterIdentities,
  clusterSecret,
  clusterSecretName,
  planClusterSecret,
  secretKept,
} from '../../model/clusterimport';
import {
  applicationFindings,
  clusterImportFindings,
} from '../../model/findings';
import { fingerprint } from '../../model/manifestwork';
import type { ReconcileContext, RewriteDamper } from '../../runtime';
import type { ClusterRemoval } from './clusterRemoval';
import type { ClusterTokens } from './clusterTokens';
import type { DuplicateClusters } from './duplicateClusters';
import {
  secretsUnreadable,
  type Importers,
  type ValidTarget,
} from './importers';
import { parseImportKey, secretKey } from './importKeys';

/** The Secrets by which an Argo CD knows its clusters. */
export interface ImportedSecrets extends Pick<AuthorisationWaiters, 'onKnown'> {
  /**
   * Brings the Secret of a cluster in line with the GitOpsCluster that decides about it; undefined if none may import
   * the cluster, or the GitOpsCluster has no Placement or no readable Secrets.
   */
  reconcile(
    argoNamespace: string,
    cluster: string,
    context: ReconcileContext,
  ): Promise<Finding[] | undefined>;
  /** Keys of the namespace whose Secret is not written because another Secret has its name, cluster or server. */
  blockedIn(argoNamespace: string): string[];
}

/** Creates the Secrets of one hub. */
export function createImportedSecrets(options: {
  readonly cache: FleetCache;
  readonly client: KubernetesClient;
  readonly importers: Pick<Importers, 'deciding'>;
  readonly tokens: ClusterTokens;
  readonly removal: Pick<ClusterRemoval, 'markWanted'>;
  readonly duplicates: Pick<DuplicateClusters, 'findingsOf'>;
  readonly damper: RewriteDamper;
}): ImportedSecrets {
  const { cache, client, importers, tokens, removal, duplicates, damper } =
    options;
  const waiters = createAuthorisationWaiters(cache);
  const blocked = new Set<string>();
  /**
   * Keys of Secrets that have the name of one of ours but are not of clusters, so that the cache does not hold them.
   */
  const foreign = new Set<string>();

  async function ensure(
    name: string,
    { argoNamespace, serviceAccount }: ValidTarget,
    context: ReconcileContext,
  ): Promise<Finding | undefined> {
    const cluster = cache.clusters.get(name);
    if (!cluster || cluster.metadata.deletionTimestamp) {
      return clusterImportFindings.clusterUnknown(name, {
        object: { kind: 'ManagedCluster', name },
      });
    }
    const blank = clusterSecret(cluster, argoNamespace);
    const existing = cache.clusterSecrets.get(objectKey(blank.metadata));
    const access = serviceAccount
      ? await tokens.accessTo(
          cluster,
          serviceAccount,
          argoNamespace,
          context.signal,
        )
      : undefined;
    if (access && 'code' in access) {
      return access;
    }
    const desired = access
      ? clusterSecret(cluster, argoNamespace, access)
      : blank;
    const namesakes = clusterIdentities(desired).flatMap(identity =>
      cache.clusterSecrets.by('identity', identity),
    );
    const plan = planClusterSecret(name, desired, existing, namesakes, access);
    switch (plan.kind) {
      case 'kept':
        blocked.add(secretKey(argoNamespace, name));
        return plan.finding;
      case 'agents':
        return undefined;
      case 'create':
        return create(name, plan.secret, context);
      default:
        if (plan.kind === 'patch') {
          await damper.write(
            objectKey(desired.metadata),
            contentOf(desired),
            () =>
              context.writer.patch('clusterSecrets', plan.existing, plan.patch),
          );
        }
        removal.markWanted(existing!);
        return undefined;
    }
  }

  /** The cache holds only Secrets of clusters: another Secret may have the name. */
  async function create(
    cluster: string,
    secret: Secret,
    { writer, signal }: ReconcileContext,
  ): Promise<Finding | undefined> {
    const key = objectKey(secret.metadata);
    const other = foreign.has(key)
      ? await getSecret(secret.metadata, signal)
      : undefined;
    if (other) {
      return secretKept(cluster, other);
    }
    foreign.delete(key);
    try {
      await damper.write(key, contentOf(secret), () =>
        writer.create('clusterSecrets', secret),
      );
      return undefined;
    } catch (error) {
      const existing = isKubernetesError(error, 'alreadyExists')
        ? await getSecret(secret.metadata, signal)
        : undefined;
      if (
        !existing ||
        existing.metadata.labels?.[SECRET_TYPE_LABEL] === 'cluster'
      ) {
        // A Secret of a cluster is about to appear in the cache.
        throw error;
      }
      foreign.add(key);
      return secretKept(cluster, existing);
    }
  }

  function existingSecret(namespace: string, cluster: string) {
    return cache.clusterSecrets.get(
      objectKey({ namespace, name: clusterSecretName(cluster) }),
    );
  }

  function getSecret(name: ObjectName, signal: AbortSignal) {
    return findObject(client, FLEET_RESOURCES.clusterSecrets, name, { signal });
  }

  return {
    async reconcile(argoNamespace, cluster, context) {
      const key = secretKey(argoNamespace, cluster);
      blocked.delete(key);
      waiters.delete(key);
      const deciding = importers.deciding(argoNamespace, cluster);
      if (!deciding) {
        return undefined;
      }
      const { importer, trust } = deciding;
      const { target } = importer;
      if (
        !cache.placements.get(objectKey(target.placement)) ||
        (await secretsUnreadable(importer, cache, context.signal))
      ) {
        // The GitOpsCluster's own key reports it, once for all its clusters.
        return undefined;
      }
      const found = duplicates.findingsOf(argoNamespace, cluster);
      if (target.isAgents) {
        return found;
      }
      const mayWrite =
        trust === 'authorised' ||
        // A Secret that exists was authorised once; but soon it is known whether it still is.
        (trust === 'unverified' && existingSecret(argoNamespace, cluster));
      if (!mayWrite) {
        waiters.add(key);
        return [
          ...found,
          applicationFindings.authorisationUnknown(cluster, {
            object: { kind: 'ManagedCluster', name: cluster },
          }),
        ];
      }
      const finding = await ensure(cluster, target, context);
      return finding ? [...found, finding] : found;
    },
    onKnown: waiters.onKnown,
    blockedIn: argoNamespace =>
      [...blocked].filter(
        key => parseImportKey(key).namespace === argoNamespace,
      ),
  };
}

/** Fingerprint of a Secret as it is wanted. */
function contentOf({
  metadata,
  data: { server, config } = {},
}: Secret): string {
  return fingerprint([
    metadata.labels,
    metadata.annotations,
    server,
    config && configFingerprint(config),
  ]);
}
