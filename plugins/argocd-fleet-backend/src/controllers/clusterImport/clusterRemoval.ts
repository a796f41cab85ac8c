import {
  CLUSTER_NAME_LABEL,
  PLACEMENT_LABEL,
  type Finding,
  type GitOpsCluster,
  type NamespacedName,
  type Placement,
  type PlacementDecision,
} from 'backstage-plugin-argocd-fleet-common';
import { FLEET_RESOURCES, type FleetCache } from '../../fleet';
import {
  findObject,
  listAll,
  objectKey,
  type KubernetesClient,
} from '../../kubernetes/client';
import {
  clustersMeant,
  importTarget,
  isMarkedSecret,
  namesOfCluster,
  unwantedSecrets,
  wantedClusters,
  type StoredSecret,
} from '../../model/clusterimport';
import { clusterImportFindings as findings } from '../../model/findings';
import type { ReconcileContext } from '../../runtime';

/** Takes cluster Secrets away again. */
export interface ClusterRemoval {
  /** Notes that a Secret is wanted: it may be removed once it is not. */
  wanted(secret: StoredSecret): void;
  /** Removes the Secrets of an Argo CD namespace that no GitOpsCluster wants any more; answers with those that stay, and why. */
  tidy(namespace: string, context: ReconcileContext): Promise<Finding[]>;
}

const SHOWN = 20;

/**
 * Creates the removal for one hub.
 *
 * A Secret is removed that a GitOpsCluster brought and none wants any more, and only where it is known that one did want it: because we
 * made or changed it, or saw it wanted since the backend started. RHACM leaves no trace of which GitOpsCluster a Secret is from, and a
 * Secret that is missing takes the Applications of generators with it; so one that was there before us, and that nothing ever wanted under
 * our eyes, is only reported.
 */
export function createClusterRemoval(options: {
  readonly cache: FleetCache;
  readonly client: KubernetesClient;
}): ClusterRemoval {
  const { cache, client } = options;
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
    const used = usersOf(ours);
    const removable = ours.filter(secret => !used.has(secret));
    // The caches are read by several watches, and one may be silent; a wrong removal would take a cluster's Applications with it.
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
        findings.stillUsed(clusterNameIn(secret), applications.size, {
          evidence: [...applications].slice(0, SHOWN).join('\n'),
          object: { kind: 'Secret', namespace, name: secret.metadata.name },
        }),
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

  /** Applications that are meant for the cluster of each Secret, where there are any. */
  function usersOf(
    secrets: readonly StoredSecret[],
  ): Map<StoredSecret, Set<string>> {
    const users = new Map<StoredSecret, Set<string>>();
    const byName = new Map(
      secrets.flatMap(secret =>
        namesOfCluster(secret).map(name => [name, secret] as const),
      ),
    );
    for (const application of byName.size > 0
      ? cache.applications.list()
      : []) {
      for (const name of clustersMeant(application)) {
        const secret = byName.get(name);
        if (secret) {
          const names = users.get(secret) ?? new Set();
          users.set(secret, names.add(objectKey(application.metadata)));
        }
      }
    }
    return users;
  }

  /** As the hub itself has it now, every list to its end. */
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
      placement: name => placements.get(objectKey(name)),
      decisions: name => decisions.get(objectKey(name)) ?? [],
    });
  }

  return {
    wanted(secret) {
      onceWanted.add(secret.metadata.uid ?? '');
    },
    tidy,
  };
}

/** The clusters that any GitOpsCluster wants in the namespace; undefined where one of them is not to be understood now. */
function wantedIn(
  namespace: string,
  gitOpsClusters: readonly GitOpsCluster[],
  know: {
    placement(name: NamespacedName): Placement | undefined;
    decisions(name: NamespacedName): readonly PlacementDecision[];
  },
): ReadonlySet<string> | undefined {
  const all = new Set<string>();
  for (const gitOpsCluster of claimantsOf(namespace, gitOpsClusters)) {
    const target = importTarget(gitOpsCluster);
    const wanted =
      target.kind === 'target'
        ? wantedClusters(
            gitOpsCluster,
            know.placement(target.placement),
            know.decisions(target.placement),
          )
        : undefined;
    if (!wanted) {
      return undefined;
    }
    wanted.forEach(cluster => all.add(cluster));
  }
  return all;
}

/** Those that import into the namespace, and those of which it is not known. */
function claimantsOf(
  namespace: string,
  gitOpsClusters: readonly GitOpsCluster[],
): GitOpsCluster[] {
  return gitOpsClusters.filter(gitOpsCluster => {
    const target = importTarget(gitOpsCluster);
    return target.kind === 'invalid' || target.argoNamespace === namespace;
  });
}

function clusterNameIn({ metadata }: StoredSecret): string {
  return metadata.labels?.[CLUSTER_NAME_LABEL] ?? metadata.name;
}

function leftByOthers(
  namespace: string,
  secrets: readonly StoredSecret[],
): Finding[] {
  const names = secrets.map(({ metadata }) => metadata.name).sort();
  const more = names.length - SHOWN;
  return names.length > 0
    ? [
        findings.leftByOthers(
          namespace,
          names.length,
          [
            ...names.slice(0, SHOWN),
            ...(more > 0 ? [`and ${more} more`] : []),
          ].join('\n'),
        ),
      ]
    : [];
}
