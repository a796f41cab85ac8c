import {
  PLACEMENT_LABEL,
  type Finding,
  type GitOpsCluster,
} from 'backstage-plugin-argocd-fleet-common';
import {
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

/** What a GitOpsCluster with a valid spec demands. */
export type ValidTarget = Extract<ImportTarget, { readonly kind: 'target' }>;

/** A GitOpsCluster that imports clusters. */
export interface Importer {
  readonly gitOpsCluster: GitOpsCluster;
  readonly target: ValidTarget;
}

/** The importer that a GitOpsCluster is; undefined if its spec is invalid or it is being deleted. */
export function importerOf(gitOpsCluster: GitOpsCluster): Importer | undefined {
  const target = importTarget(gitOpsCluster);
  return target.kind === 'target' && !gitOpsCluster.metadata.deletionTimestamp
    ? { gitOpsCluster, target }
    : undefined;
}

/** All importers into an Argo CD namespace. */
export function importersInto(
  argoNamespace: string,
  cache: FleetCache,
): Importer[] {
  return cache.gitOpsClusters
    .by('argoNamespace', argoNamespace)
    .flatMap(gitOpsCluster => importerOf(gitOpsCluster) ?? []);
}

/** Clusters of all decisions of the importer's Placement. */
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

/** Whether a decision of the importer's Placement names the cluster. */
export function imports(
  { target: { placement } }: Importer,
  cluster: string,
  cache: FleetCache,
): boolean {
  const { namespace } = placement;
  return cache.decisions
    .by('cluster', objectKey({ namespace, name: cluster }))
    .some(
      ({ metadata }) => metadata.labels?.[PLACEMENT_LABEL] === placement.name,
    );
}

/** The importer that decides about the form of a cluster's Secret; undefined if none imports the cluster. */
export function decidingImporter(
  importers: readonly Importer[],
  cluster: string,
  cache: FleetCache,
): Importer | undefined {
  const own = importers.filter(importer => imports(importer, cluster, cache));
  const deciding = decidingGitOpsCluster(
    own.map(({ gitOpsCluster }) => gitOpsCluster),
  );
  return own.find(({ gitOpsCluster }) => gitOpsCluster === deciding);
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
