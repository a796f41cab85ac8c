import type { FleetCache, NamespacedResource } from '../../fleet';
import { isImportedSecret } from '../../model/clusterimport';
import type { ImportPermissions } from './importPermissions';

/** What the ApplicationSet controller of an Argo CD namespace needs for PlacementDecisions, and its ServiceAccount. */
export const GENERATOR_RESOURCES = [
  'generatorConfigs',
  'placementRoles',
  'placementRoleBindings',
  'serviceAccounts',
] as const satisfies readonly NamespacedResource[];

const NOWHERE: ReadonlySet<string> = new Set();
const EVERYWHERE: ReadonlySet<string> = new Set(['']);

/**
 * Makes the cache watch the Argo CD namespaces that GitOpsClusters name and may import into, and those with Secrets of a GitOpsCluster that
 * names them no more. ManagedServiceAccounts are watched only if a GitOpsCluster needs tokens. Lasts until the returned
 * function is called.
 */
export function watchArgoNamespaces(
  cache: FleetCache,
  permissions: ImportPermissions,
): () => void {
  function updateWatches() {
    const named = new Set(permittedNamespaces(cache, permissions));
    for (const name of GENERATOR_RESOURCES) {
      cache.watchNamespaces(name, named);
    }
    cache.watchNamespaces(
      'clusterSecrets',
      new Set([...named, ...abandonedNamespaces(cache)]),
    );
    const tokens = [...cache.gitOpsClusters.list()].some(
      ({ spec }) => spec?.managedServiceAccountRef,
    );
    cache.watchNamespaces(
      'managedServiceAccounts',
      tokens ? EVERYWHERE : NOWHERE,
    );
  }
  return cache.onChange(({ resource, after }) => {
    if (
      resource === 'gitOpsClusters' ||
      (resource === 'clusterSecrets' && !after)
    ) {
      updateWatches();
    }
  });
}

/** Argo CD namespaces that a GitOpsCluster names which may import into them. */
export function permittedNamespaces(
  { gitOpsClusters }: FleetCache,
  { permits }: ImportPermissions,
): string[] {
  return [...gitOpsClusters.values('argoNamespace')].filter(argoNamespace =>
    gitOpsClusters
      .by('argoNamespace', argoNamespace)
      .some(({ metadata }) => permits(metadata.namespace ?? '', argoNamespace)),
  );
}

/** Namespaces that no GitOpsCluster names any more, with imported Secrets in them. */
export function abandonedNamespaces(cache: FleetCache): string[] {
  const named = new Set(cache.gitOpsClusters.values('argoNamespace'));
  return [...cache.clusterSecrets.values('namespace')].filter(
    namespace =>
      !named.has(namespace) &&
      cache.clusterSecrets.by('namespace', namespace).some(isImportedSecret),
  );
}
