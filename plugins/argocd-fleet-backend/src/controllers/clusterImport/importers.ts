import type {
  Finding,
  GitOpsCluster,
} from 'backstage-plugin-argocd-fleet-common';
import {
  authorisationOf,
  decidedClusters,
  FLEET_RESOURCES,
  type FleetCache,
  type NamespacedResource,
} from '../../fleet';
import { objectKey } from '../../kubernetes/client';
import {
  decidingGitOpsCluster,
  importTarget,
  type ImportTarget,
} from '../../model/clusterimport';
import { clusterImportFindings } from '../../model/findings';
import type { Authorisation } from '../../model/placement';
import type { ImportPermissions, PermittedAccounts } from './importPermissions';

/** What a GitOpsCluster with a valid spec demands. */
export type ValidTarget = Extract<ImportTarget, { readonly kind: 'target' }>;

/** A GitOpsCluster that imports clusters. */
export interface Importer {
  readonly gitOpsCluster: GitOpsCluster;
  readonly target: ValidTarget;
}

/** The importer that decides about a cluster. */
export interface DecidingImporter {
  readonly importer: Importer;
  /** `unverified`: it is not known whether its decision counts. `pending`: that is known soon. */
  readonly trust: 'authorised' | 'unverified' | 'pending';
}

/** The GitOpsClusters of a hub that import clusters. */
export interface Importers {
  /**
   * The importer that a GitOpsCluster is; undefined if its spec is invalid or cannot be processed, it may not import
   * into that namespace or not with that ManagedServiceAccount, or it is being deleted.
   */
  of(gitOpsCluster: GitOpsCluster): Importer | undefined;
  /** All importers into an Argo CD namespace. */
  into(argoNamespace: string): Importer[];
  /**
   * The importer that decides about the form of a cluster's Secret: of those that a decision that counts authorises,
   * else of those of which it is not known. Undefined if there is none.
   * @param importers - `into(argoNamespace)`, for whoever asks for many clusters
   */
  deciding(
    argoNamespace: string,
    cluster: string,
    importers?: readonly Importer[],
  ): DecidingImporter | undefined;
}

/** Creates the importers of one hub. */
export function createImporters(
  cache: FleetCache,
  { permits }: ImportPermissions,
  accounts: Pick<PermittedAccounts, 'permits'>,
): Importers {
  function of(gitOpsCluster: GitOpsCluster): Importer | undefined {
    try {
      return importerOf(gitOpsCluster);
    } catch {
      // It must not keep the others from importing. The reconcile of its own key fails in the same way, and reports it.
      return undefined;
    }
  }

  function importerOf(gitOpsCluster: GitOpsCluster): Importer | undefined {
    const { namespace = '', deletionTimestamp } = gitOpsCluster.metadata;
    const { argoNamespace } = gitOpsCluster.spec?.argoServer ?? {};
    // First, since tenants may write any number of those that may import nothing.
    if (
      deletionTimestamp ||
      !argoNamespace ||
      !permits(namespace, argoNamespace)
    ) {
      return undefined;
    }
    const target = importTarget(gitOpsCluster);
    if (target.kind !== 'target') {
      return undefined;
    }
    const account = neededAccount(target);
    return account === undefined || accounts.permits(argoNamespace, account)
      ? { gitOpsCluster, target }
      : undefined;
  }

  function into(argoNamespace: string) {
    return cache.gitOpsClusters
      .by('argoNamespace', argoNamespace)
      .flatMap(gitOpsCluster => of(gitOpsCluster) ?? []);
  }

  return {
    of,
    into,
    deciding(argoNamespace, cluster, importers = into(argoNamespace)) {
      const judged = importers.map(importer => ({
        importer,
        ...importAuthorisation(importer, cluster, cache),
      }));
      for (const wanted of ['authorised', 'unverified'] as const) {
        const own = judged.filter(({ verdict }) => verdict === wanted);
        const deciding = decidingGitOpsCluster(
          own.map(({ importer }) => importer.gitOpsCluster),
        );
        const found = own.find(
          ({ importer }) => importer.gitOpsCluster === deciding,
        );
        if (found) {
          return {
            importer: found.importer,
            trust: found.isPending ? 'pending' : wanted,
          };
        }
      }
      return undefined;
    },
  };
}

/** The ManagedServiceAccount whose tokens a GitOpsCluster needs; argocd-agent brings credentials of its own. */
export function neededAccount({
  serviceAccount,
  isAgents,
}: ValidTarget): string | undefined {
  return isAgents ? undefined : serviceAccount;
}

/** Clusters of all decisions of the importer's Placement, whether they count or not. */
export function clustersOf(
  { target }: Importer,
  cache: FleetCache,
): ReadonlySet<string> {
  return new Set(
    cache.decisions
      .by('placement', objectKey(target.placement))
      .flatMap(decidedClusters),
  );
}

/** Whether a decision of the importer's Placement authorises to import the cluster. */
export function importAuthorisation(
  { target: { placement } }: Importer,
  cluster: string,
  cache: FleetCache,
): Authorisation {
  return authorisationOf(cache, placement.namespace, cluster, placement.name);
}

/**
 * Why resources of a namespace cannot be relied on; waits until that is known. An empty namespace is all namespaces.
 */
export async function unreadable(
  names: readonly NamespacedResource[],
  namespace: string,
  cache: FleetCache,
  signal: AbortSignal,
): Promise<Finding | undefined> {
  const failure = await cache.waitForNamespaceSync(names, namespace, signal);
  if (!failure) {
    return undefined;
  }
  const { group, plural } = FLEET_RESOURCES[failure.name];
  return clusterImportFindings.namespaceUnreadable(
    namespace,
    { group, plural },
    {
      evidence: failure.error.message,
      object: { kind: 'Namespace', name: namespace },
    },
  );
}

/** As {@link unreadable}, for what the Secrets of an importer's clusters depend on. */
export async function secretsUnreadable(
  { target: { argoNamespace, serviceAccount } }: Importer,
  cache: FleetCache,
  signal: AbortSignal,
): Promise<Finding | undefined> {
  return (
    (await unreadable(['clusterSecrets'], argoNamespace, cache, signal)) ??
    (serviceAccount
      ? unreadable(['managedServiceAccounts'], '', cache, signal)
      : undefined)
  );
}
