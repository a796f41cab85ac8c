import type {
  Finding,
  GitOpsCluster,
} from 'backstage-plugin-argocd-fleet-common';
import type { FleetCache } from '../../fleet';
import {
  errorMessage,
  isKubernetesError,
  objectKey,
  type KubernetesClient,
} from '../../kubernetes/client';
import { clusterImportFindings } from '../../model/findings';
import {
  createRewriteDamper,
  MissingNamespaceError,
  undoneFinding,
  type Controller,
  type ReconcileContext,
} from '../../runtime';
import { clusterImportWatches, importNamespaces } from './clusterImportWatches';
import { createClusterRemoval } from './clusterRemoval';
import { createClusterTokens } from './clusterTokens';
import { createDuplicateClusters } from './duplicateClusters';
import { reconcileGitOpsCluster } from './gitOpsClusterStatus';
import { createImportedSecrets } from './importedSecrets';
import { clustersOf, createImporters } from './importers';
import type { ImportPermissions, PermittedAccounts } from './importPermissions';
import {
  argoNamespaceKeys,
  gitOpsClusterKey,
  namespaceKey,
  objectOfImportKey,
  parseImportKey,
  secretKey,
  type ImportKey,
} from './importKeys';
import { createImportOutcomes } from './importOutcomes';
import {
  ensureGeneratorConfig,
  ensurePlacementRole,
} from './placementGenerator';

/**
 * Makes the clusters of a GitOpsCluster's Placement known to the Argo CD of a namespace, removes those that left it,
 * and lets that Argo CD's ApplicationSet controller read PlacementDecisions. The keys are those of importKeys.ts.
 */
export function createClusterImport(options: {
  readonly cache: FleetCache;
  readonly client: KubernetesClient;
  readonly permissions: ImportPermissions;
  readonly accounts: PermittedAccounts;
  /** URLs of the hub's API server. */
  readonly hubUrls: () => Promise<readonly string[]>;
}): Controller {
  const { cache, client, permissions, accounts, hubUrls } = options;
  const outcomes = createImportOutcomes();
  /** What has to wait is looked at again by the next full pass. */
  const dampers = {
    Secret: createRewriteDamper(),
    ConfigMap: createRewriteDamper(),
    Role: createRewriteDamper(),
    RoleBinding: createRewriteDamper(),
    GitOpsCluster: createRewriteDamper(),
  };
  const importers = createImporters(cache, permissions, accounts);
  const removal = createClusterRemoval({ cache, client, permissions });
  const duplicates = createDuplicateClusters({ cache, client, importers });
  const secrets = createImportedSecrets({
    cache,
    client,
    importers,
    tokens: createClusterTokens({ cache, client, hubUrls }),
    removal,
    duplicates,
    damper: dampers.Secret,
  });

  /** What a GitOpsCluster needs; nothing for one that cannot be processed, so that the others are listed. */
  function keysOf(gitOpsCluster: GitOpsCluster): string[] {
    try {
      const importer = importers.of(gitOpsCluster);
      if (!importer) {
        return [];
      }
      const { argoNamespace } = importer.target;
      return [
        ...Array.from(clustersOf(importer, cache), cluster =>
          secretKey(argoNamespace, cluster),
        ),
        ...argoNamespaceKeys(argoNamespace),
      ];
    } catch {
      // The reconcile of its own key fails in the same way, and reports it.
      return [];
    }
  }

  /** Answers with what is wrong; undefined for a key that no GitOpsCluster needs any more. */
  async function reconcilePart(
    { kind, namespace, name }: ImportKey,
    context: ReconcileContext,
  ): Promise<readonly Finding[] | undefined> {
    if (kind === 'Secret') {
      return secrets.reconcile(namespace, name, context);
    }
    if (kind === 'Namespace') {
      return importNamespaces(cache, permissions).includes(namespace)
        ? [
            ...(await duplicates.tidy(namespace, context)),
            ...(await removal.tidy(namespace, context)),
          ]
        : undefined;
    }
    if (importers.into(namespace).length === 0) {
      return undefined;
    }
    return kind === 'ConfigMap'
      ? ensureGeneratorConfig(namespace, cache, dampers.ConfigMap, context)
      : ensurePlacementRole(namespace, cache, dampers, context);
  }

  /** As {@link reconcilePart}, and records the outcome for the status of the GitOpsClusters. */
  async function reconcileAndRecord(
    key: string,
    context: ReconcileContext,
  ): Promise<readonly Finding[] | undefined> {
    const importKey = parseImportKey(key);
    try {
      const found = await reconcilePart(importKey, context);
      if (found) {
        outcomes.set(
          key,
          importKey.kind === 'Namespace'
            ? found.filter(concernsImporters)
            : found,
        );
      } else {
        outcomes.delete(key);
      }
      return found;
    } catch (error) {
      if (isOfOneObject(error)) {
        outcomes.set(key, [{ severity: 'error', title: errorMessage(error) }]);
      }
      throw error;
    }
  }

  return {
    name: 'clusterImport',
    watches: clusterImportWatches({
      cache,
      permissions,
      importers,
      secrets,
      outcomes,
    }),
    failureContext: {
      objectOf: objectOfImportKey,
      rbacFile: 'cluster-import.yaml',
    },
    hubChecks: {
      findings: () => [
        ...(cache.isNotServed('gitOpsClusters')
          ? [clusterImportFindings.nothingToImport(cache.hub)]
          : []),
        ...Object.entries(dampers).flatMap(([kind, damper]) =>
          undoneFinding(
            cache.hub,
            { kind, ...(kind === 'GitOpsCluster' && { part: 'status' }) },
            damper.contested(),
          ),
        ),
      ],
    },
    *listKeys() {
      for (const gitOpsCluster of cache.gitOpsClusters.list()) {
        yield* keysOf(gitOpsCluster);
        yield gitOpsClusterKey(gitOpsCluster);
      }
      yield* importNamespaces(cache, permissions).map(namespaceKey);
    },
    async reconcile(key, context) {
      if (cache.isNotServed('gitOpsClusters')) {
        return {};
      }
      await accounts.ready(context.signal);
      const { kind, namespace, name } = parseImportKey(key);
      if (kind !== 'GitOpsCluster') {
        return { findings: await reconcileAndRecord(key, context) };
      }
      const gitOpsCluster = cache.gitOpsClusters.get(
        objectKey({ namespace, name }),
      );
      return gitOpsCluster
        ? {
            findings: await reconcileGitOpsCluster(
              gitOpsCluster,
              {
                cache,
                importers,
                permissions,
                outcomes,
                damper: dampers.GitOpsCluster,
              },
              context,
            ),
          }
        : {};
    },
  };
}

/** Whether a finding about an Argo CD namespace concerns every GitOpsCluster of it, and not clusters that none imports. */
function concernsImporters({ code }: Finding): boolean {
  return code !== clusterImportFindings.duplicateCluster.code;
}

/**
 * Whether the status of a GitOpsCluster is to show a failure: not where the cache was behind, or the whole hub fails.
 */
function isOfOneObject(error: unknown): boolean {
  return (
    isKubernetesError(error, 'forbidden', 'invalid') ||
    error instanceof MissingNamespaceError
  );
}
