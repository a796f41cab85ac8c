import type { GitOpsCluster } from 'backstage-plugin-argocd-fleet-common';
import type { ImportAccounts, ImportAccountStore } from '../../database';
import type { FleetCache } from '../../fleet';
import { objectKey } from '../../kubernetes/client';
import {
  clusterSecretName,
  holdsTokenOf,
  importTarget,
} from '../../model/clusterimport';
import { clustersOf, neededAccount, type Importer } from './importers';
import type { ImportPermissions, PermittedAccounts } from './importPermissions';

/** Creates the permitted accounts of one hub. */
export function createPermittedAccounts(options: {
  readonly cache: FleetCache;
  readonly store: ImportAccountStore;
  readonly permissions: ImportPermissions;
  /** By namespace of an Argo CD, which nothing else decides then; `*` stands for all. */
  readonly configured: ImportAccounts;
}): PermittedAccounts {
  const { cache, store, permissions, configured } = options;
  let recorded: ReadonlyMap<string, readonly string[]> | undefined;
  let loading: Promise<void> | undefined;

  const isConfigured = (argoNamespace: string) =>
    Object.hasOwn(configured, argoNamespace);

  async function load(signal: AbortSignal) {
    const known =
      (await store.accounts(cache.hub)) ??
      (await store.record(cache.hub, await accountsInUse(signal)));
    recorded = new Map(Object.entries(known));
  }

  async function accountsInUse(signal: AbortSignal): Promise<ImportAccounts> {
    const used = new Map<string, Set<string>>();
    for (const gitOpsCluster of cache.gitOpsClusters.list()) {
      const importer = importerOf(gitOpsCluster);
      const account = importer && neededAccount(importer.target);
      if (account && (await isUsed(importer, account, signal))) {
        const { argoNamespace } = importer.target;
        used.set(
          argoNamespace,
          (used.get(argoNamespace) ?? new Set()).add(account),
        );
      }
    }
    return Object.fromEntries(
      [...used].map(([namespace, names]) => [namespace, [...names].sort()]),
    );
  }

  /** A GitOpsCluster that may import, if only the record can say with which account. */
  function importerOf(gitOpsCluster: GitOpsCluster): Importer | undefined {
    try {
      const target = importTarget(gitOpsCluster);
      const { namespace = '' } = gitOpsCluster.metadata;
      return target.kind === 'target' &&
        !isConfigured(target.argoNamespace) &&
        permissions.permits(namespace, target.argoNamespace)
        ? { gitOpsCluster, target }
        : undefined;
    } catch {
      // The reconcile of its own key fails in the same way, and reports it.
      return undefined;
    }
  }

  /** Secrets that cannot be read now show no use: the record is made once, and one namespace must not keep it from all. */
  async function isUsed(
    importer: Importer,
    account: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const namespace = importer.target.argoNamespace;
    await cache.waitForNamespaceSync(['clusterSecrets'], namespace, signal);
    return [...clustersOf(importer, cache)].some(cluster => {
      const secret = cache.clusterSecrets.get(
        objectKey({ namespace, name: clusterSecretName(cluster) }),
      );
      return secret !== undefined && holdsTokenOf(secret, account);
    });
  }

  return {
    permits(argoNamespace, account) {
      if (!isConfigured(argoNamespace)) {
        return recorded?.get(argoNamespace)?.includes(account) ?? !recorded;
      }
      const names = configured[argoNamespace];
      return names.includes(account) || names.includes('*');
    },
    async ready(signal) {
      if (!recorded) {
        loading ??= load(signal).finally(() => {
          loading = undefined;
        });
        await loading;
      }
    },
  };
}
