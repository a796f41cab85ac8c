import type { FleetCache, NamespacedResource } from '../../fleet';
import { isImportedSecret } from '../../model/clusterimport';

/** What the ApplicationSet controller of an Argo CD namespace needs for PlacementDecisions, and who it is. */
export const GENERATOR_RESOURCES = [
  'generatorConfigs',
  'placementRoles',
  'placementRoleBindings',
  'serviceAccounts',
] as const satisfies readonly NamespacedResource[];

const NOWHERE: ReadonlySet<string> = new Set();
const EVERYWHERE: ReadonlySet<string> = new Set(['']);

/**
 * Has the cache read those namespaces that GitOpsClusters name as Argo CD's, and those in which Secrets of one are left that names them
 * no more; ManagedServiceAccounts only where some GitOpsCluster wants tokens. Until the returned function is called.
 */
export function followArgoNamespaces(cache: FleetCache): () => void {
  function follow() {
    const named = new Set(cache.gitOpsClusters.values('argoNamespace'));
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
      follow();
    }
  });
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
