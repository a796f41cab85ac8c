/** Configuration of the import. */
export interface ImportOptions {
  /** By namespace of an Argo CD: the other namespaces whose GitOpsClusters may import into it; `*` stands for all. */
  readonly argocdNamespaces: Readonly<Record<string, readonly string[]>>;
  /**
   * By namespace of an Argo CD: the ManagedServiceAccounts whose tokens it may get; `*` stands for all. Of a namespace
   * that is not listed: those that it has from before.
   */
  readonly managedServiceAccounts: Readonly<Record<string, readonly string[]>>;
}

/** Which GitOpsClusters may import into which Argo CD namespaces. */
export interface ImportPermissions {
  /** @param namespace - the GitOpsCluster's own */
  permits(namespace: string, argoNamespace: string): boolean;
}

/**
 * Which ManagedServiceAccounts GitOpsClusters may name. The backend reads their tokens with rights that whoever writes a
 * GitOpsCluster does not have, and hands them to the Argo CD of a namespace.
 */
export interface PermittedAccounts {
  /** Until {@link PermittedAccounts.ready} every account is. */
  permits(argoNamespace: string, account: string): boolean;
  /**
   * Resolves once it is known. The first time that a hub is complete, the accounts are recorded whose tokens its Argo CDs
   * have already; nothing that tenants write later adds one. Rejects if the database fails.
   */
  ready(signal: AbortSignal): Promise<void>;
}

/** The permissions that a configuration grants: beside its own, each namespace has those that are listed. */
export function importPermissions({
  argocdNamespaces,
}: Pick<ImportOptions, 'argocdNamespaces'>): ImportPermissions {
  const permitted = new Map(
    Object.entries(argocdNamespaces).map(([argoNamespace, namespaces]) => [
      argoNamespace,
      new Set(namespaces),
    ]),
  );
  return {
    permits(namespace, argoNamespace) {
      const others = permitted.get(argoNamespace);
      return (
        namespace === argoNamespace ||
        others?.has(namespace) === true ||
        others?.has('*') === true
      );
    },
  };
}
