import {
  CLUSTER_NAME_LABEL,
  PLACEMENT_LABEL,
  type Finding,
  type GitOpsCluster,
  type NamespacedName,
  type Placement,
  type PlacementDecision,
} from 'backstage-plugin-argocd-fleet-common';
import { decidedClusters, FLEET_RESOURCES, type FleetCache } from '../../fleet';
import {
  findObject,
  listAll,
  objectKey,
  type KubernetesClient,
} from '../../kubernetes/client';
import {
  importTarget,
  isMarkedSecret,
  unwantedSecrets,
  wantedClusters,
  type StoredSecret,
} from '../../model/clusterimport';
import { clusterImportFindings, shownNames } from '../../model/findings';
import type { ReconcileContext } from '../../runtime';
import type { ImportPermissions } from './importPermissions';
import { secretUsers } from './secretUsers';

/** Removes the Secrets of clusters. */
export interface ClusterRemoval {
  /** Remembers that a GitOpsCluster wants the Secret: it may be removed once none does. */
  markWanted(secret: StoredSecret): void;
  /**
   * Removes the Secrets of an Argo CD namespace that no GitOpsCluster wants any more; answers with those that stay, and
   * why.
   */
  tidy(namespace: string, context: ReconcileContext): Promise<Finding[]>;
}

/**
 * Creates the removal for one hub.
 *
 * A Secret of a GitOpsCluster is removed when none wants it any more, and only if one is known to have wanted it:
 * because we created or changed the Secret, or it was wanted since the backend started. RHACM does not record which
 * GitOpsCluster a Secret is from, and without its Secret a generator deletes the cluster's Applications. So a Secret
 * that existed before, and that no GitOpsCluster has wanted since the start, is only reported.
 */
export function createClusterRemoval(options: {
  readonly cache: FleetCache;
  readonly client: KubernetesClient;
  readonly permissions: ImportPermissions;
}): ClusterRemoval {
  const { cache, client, permissions } = options;
  /** UIDs. */
  const onceWanted = new Set<string>();

  async function tidy(
    namespace: string,
    { writer, signal, logger }: ReconcileContext,
  ): Promise<Finding[]> {
    const unread = await cache.waitForNamespaceSync(
      ['clusterSecrets'],
      namespace,
      signal,
    );
    const wanted = wantedIn(namespace, [...cache.gitOpsClusters.list()], {
      permits: permissions.permits,
      placement: name => cache.placements.get(objectKey(name)),
      decisions: name => cache.decisions.by('placement', objectKey(name)),
    });
    if (unread || !wanted) {
      return [];
    }
    const unwanted = unwantedSecrets(
      cache.clusterSecrets.by('namespace', namespace),
      wanted,
    );
    const ours = unwanted.filter(mayRemove);
    const used = secretUsers(ours, cache.applications.list());
    const removable = ours.filter(secret => !used.has(secret));
    // One of the watches may be silent, and a wrong removal would delete a cluster's Applications. One read serves all
    // removals.
    const fresh =
      removable.length > 0 ? await wantedNow(namespace, signal) : undefined;
    for (const secret of fresh ? unwantedSecrets(removable, fresh) : []) {
      logger.info('Cluster left its Placement', {
        hub: cache.hub,
        namespace,
        name: secret.metadata.name,
      });
      await writer.delete('clusterSecrets', secret);
      onceWanted.delete(secret.metadata.uid ?? '');
    }
    return [
      ...[...used].map(([secret, applications]) =>
        clusterImportFindings.stillUsed(
          clusterNameIn(secret),
          applications.size,
          {
            evidence: shownNames([...applications]).join('\n'),
            object: { kind: 'Secret', namespace, name: secret.metadata.name },
          },
        ),
      ),
      ...leftByOthers(
        namespace,
        unwanted.filter(secret => !mayRemove(secret)),
      ),
    ];
  }

  function mayRemove(secret: StoredSecret): boolean {
    return isMarkedSecret(secret) || onceWanted.has(secret.metadata.uid ?? '');
  }

  /** What the hub has now, not the cache; every list to its last page. */
  async function wantedNow(
    namespace: string,
    signal: AbortSignal,
  ): Promise<ReadonlySet<string> | undefined> {
    const all = await listAll(client, FLEET_RESOURCES.gitOpsClusters, {
      signal,
    });
    const placements = new Map<string, Placement | undefined>();
    const decisions = new Map<string, readonly PlacementDecision[]>();
    for (const gitOpsCluster of claimantsOf(namespace, all)) {
      const target = importTarget(gitOpsCluster);
      if (target.kind === 'target') {
        const { placement } = target;
        const key = objectKey(placement);
        decisions.set(
          key,
          await listAll(client, FLEET_RESOURCES.decisions, {
            namespace: placement.namespace,
            labelSelector: `${PLACEMENT_LABEL}=${placement.name}`,
            signal,
          }),
        );
        placements.set(
          key,
          await findObject(client, FLEET_RESOURCES.placements, placement, {
            signal,
          }),
        );
      }
    }
    return wantedIn(namespace, all, {
      permits: permissions.permits,
      placement: name => placements.get(objectKey(name)),
      decisions: name => decisions.get(objectKey(name)) ?? [],
    });
  }

  return {
    markWanted(secret) {
      onceWanted.add(secret.metadata.uid ?? '');
    },
    tidy,
  };
}

/**
 * The clusters that any GitOpsCluster wants in the namespace; undefined if those of one GitOpsCluster are not known
 * now. A decision that does not count, and a GitOpsCluster that may not import into the namespace, keep the Secrets of
 * their clusters: what became stricter removes nothing. The latter keeps no others, whatever else is wrong with it.
 */
function wantedIn(
  namespace: string,
  gitOpsClusters: readonly GitOpsCluster[],
  known: ImportPermissions & {
    placement(name: NamespacedName): Placement | undefined;
    decisions(name: NamespacedName): readonly PlacementDecision[];
  },
): ReadonlySet<string> | undefined {
  const all = new Set<string>();
  if (gitOpsClusters.some(({ unreadable }) => unreadable)) {
    return undefined;
  }
  for (const gitOpsCluster of claimantsOf(namespace, gitOpsClusters)) {
    const target = importTarget(gitOpsCluster);
    const isPermitted = known.permits(
      gitOpsCluster.metadata.namespace ?? '',
      namespace,
    );
    if (target.kind === 'invalid') {
      if (isPermitted) {
        return undefined;
      }
    } else {
      const decisions = known.decisions(target.placement);
      const placement = known.placement(target.placement);
      const isKnown = ![placement, ...decisions].some(it => it?.unreadable);
      const wanted = isKnown
        ? wantedClusters(gitOpsCluster, placement, decisions)
        : undefined;
      if (!wanted && isPermitted) {
        return undefined;
      }
      (wanted ?? decisions.flatMap(decidedClusters)).forEach(cluster =>
        all.add(cluster),
      );
    }
  }
  return all;
}

/** Those that name the namespace, and may be invalid otherwise. */
function claimantsOf(
  namespace: string,
  gitOpsClusters: readonly GitOpsCluster[],
): GitOpsCluster[] {
  return gitOpsClusters.filter(
    ({ spec }) => spec?.argoServer?.argoNamespace === namespace,
  );
}

function clusterNameIn({ metadata }: StoredSecret): string {
  return metadata.labels?.[CLUSTER_NAME_LABEL] ?? metadata.name;
}

function leftByOthers(
  namespace: string,
  secrets: readonly StoredSecret[],
): Finding[] {
  const names = secrets.map(({ metadata }) => metadata.name).sort();
  return names.length > 0
    ? [
        clusterImportFindings.orphanedSecrets(
          namespace,
          names.length,
          shownNames(names).join('\n'),
        ),
      ]
    : [];
}
