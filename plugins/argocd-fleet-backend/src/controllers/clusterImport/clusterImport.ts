import { setImmediate as yieldToOthers } from 'node:timers/promises';
import {
  SECRET_TYPE_LABEL,
  type Finding,
  type GitOpsCluster,
  type Secret,
} from 'backstage-plugin-argocd-fleet-common';
import {
  decidedClusters,
  FLEET_RESOURCES,
  type FleetCache,
  type NamespacedResource,
} from '../../fleet';
import {
  errorMessage,
  findObject,
  isKubernetesError,
  objectKey,
  type KubernetesClient,
  type ObjectName,
} from '../../kubernetes/client';
import {
  clusterIdentities,
  clusterSecret,
  decidingGitOpsCluster,
  importStatus,
  importTarget,
  planClusterSecret,
  secretKept,
  type ImportTarget,
} from '../../model/clusterimport';
import { clusterImportFindings as findings } from '../../model/findings';
import {
  MissingNamespaceError,
  type Controller,
  type ReconcileContext,
} from '../../runtime';
import { abandonedNamespaces } from './argoNamespaces';
import { gitOpsClustersConcernedBy } from './clusterImportKeys';
import { createClusterRemoval } from './clusterRemoval';
import { createClusterTokens } from './clusterTokens';
import { ensurePlacementGenerator } from './placementGenerator';

/** Decisions and cluster Secrets change many at a time. */
const DEBOUNCE_MS = 150;
/** Secrets of one GitOpsCluster that are worked on at once. */
const CONCURRENCY = 8;
/** Clusters after which a worker lets timers and sockets have their turn. */
const CLUSTERS_PER_TURN = 50;

type Target = Extract<ImportTarget, { readonly kind: 'target' }>;

/** What came of one GitOpsCluster. */
interface Outcome {
  readonly findings: Finding[];
  /** Writes that failed for one object and left the others alone. */
  readonly failures: unknown[];
  imported: number;
}

/**
 * Makes the clusters of a GitOpsCluster's Placement known to the Argo CD of a namespace, and forgets those that left it; lets that
 * Argo CD's ApplicationSet controller read PlacementDecisions. A key is a GitOpsCluster.
 */
export function createClusterImport(options: {
  readonly cache: FleetCache;
  readonly client: KubernetesClient;
}): Controller {
  const { cache, client } = options;
  const tokens = createClusterTokens({ cache, client });
  const removal = createClusterRemoval({ cache, client });
  /** Keys of Secrets that were in the way and that the cache does not hold, because they are not of clusters. */
  const inTheWay = new Set<string>();

  async function reconcile(
    key: string,
    context: ReconcileContext,
  ): Promise<readonly Finding[]> {
    if (cache.isNotServed('gitOpsClusters')) {
      return [];
    }
    const outcome: Outcome = { findings: [], failures: [], imported: 0 };
    const gitOpsCluster = cache.gitOpsClusters.get(key);
    const target = gitOpsCluster && importTarget(gitOpsCluster);
    if (target?.kind === 'invalid') {
      outcome.findings.push(target.finding);
    } else if (target && !gitOpsCluster?.metadata.deletionTimestamp) {
      await importClusters(gitOpsCluster!, target, outcome, context);
      await ensureGenerator(gitOpsCluster!, target, outcome, context);
    }
    for (const namespace of namespacesToTidy(key, target)) {
      await attempt(outcome, async () => {
        outcome.findings.push(...(await removal.tidy(namespace, context)));
      });
    }
    if (
      gitOpsCluster &&
      !gitOpsCluster.metadata.deletionTimestamp &&
      !outcome.failures.some(isPassing)
    ) {
      await tell(gitOpsCluster, target, outcome, context);
    }
    if (outcome.failures.length > 0) {
      throw outcome.failures[0];
    }
    return outcome.findings;
  }

  /** Its own namespace; for the first GitOpsCluster of all, or the last that was, those that nobody looks after any more. */
  function namespacesToTidy(key: string, target: ImportTarget | undefined) {
    const [first = key] = [...cache.gitOpsClusters.keys()].sort();
    return [
      ...(target?.kind === 'target' ? [target.argoNamespace] : []),
      ...(key === first ? abandonedNamespaces(cache) : []),
    ];
  }

  async function importClusters(
    gitOpsCluster: GitOpsCluster,
    target: Target,
    outcome: Outcome,
    context: ReconcileContext,
  ) {
    const { placement, argoNamespace, serviceAccount } = target;
    if (!cache.placements.get(objectKey(placement))) {
      outcome.findings.push(
        findings.noPlacement(placement.name, placement.namespace, {
          object: objectOf(gitOpsCluster),
        }),
      );
      return;
    }
    const readable =
      (await isRead(['clusterSecrets'], argoNamespace, outcome, context)) &&
      (!serviceAccount ||
        (await isRead(['managedServiceAccounts'], '', outcome, context)));
    if (!readable) {
      return;
    }
    const claimants = claimantsOf(argoNamespace);
    const clusters = [...clustersOf(gitOpsCluster)].sort();
    const workers = Array.from({ length: CONCURRENCY }, async () => {
      for (let next = clusters.pop(); next; next = clusters.pop()) {
        const cluster = next;
        await attempt(outcome, async () => {
          const deciding = decidingGitOpsCluster(
            claimants.flatMap(({ claimant, wanted }) =>
              wanted.has(cluster) ? [claimant] : [],
            ),
          );
          const problem =
            deciding && deciding !== gitOpsCluster
              ? leaveTo(deciding, cluster, target)
              : await ensureSecret(cluster, target, context);
          outcome.imported += problem ? 0 : 1;
          outcome.findings.push(...(problem ? [problem] : []));
        });
        if (clusters.length % CLUSTERS_PER_TURN === 0) {
          await yieldToOthers();
        }
      }
    });
    await Promise.all(workers);
  }

  /** Whether the resources of the namespace are known; says so where they are not. */
  async function isRead(
    names: readonly NamespacedResource[],
    namespace: string,
    outcome: Outcome,
    { signal }: ReconcileContext,
  ): Promise<boolean> {
    const failure = await cache.waitForNamespaceSync(names, namespace, signal);
    if (failure) {
      const { group, plural } = FLEET_RESOURCES[failure.name];
      outcome.findings.push(
        findings.namespaceUnreadable(
          namespace,
          { group, plural },
          {
            evidence: failure.error.message,
            object: { kind: 'Namespace', name: namespace },
          },
        ),
      );
    }
    return !failure;
  }

  function claimantsOf(argoNamespace: string) {
    return cache.gitOpsClusters
      .by('argoNamespace', argoNamespace)
      .filter(
        claimant =>
          importTarget(claimant).kind === 'target' &&
          !claimant.metadata.deletionTimestamp,
      )
      .map(claimant => ({ claimant, wanted: clustersOf(claimant) }));
  }

  /** Clusters of all decisions of the Placement. */
  function clustersOf(gitOpsCluster: GitOpsCluster): ReadonlySet<string> {
    const target = importTarget(gitOpsCluster);
    return new Set(
      target.kind === 'target'
        ? cache.decisions
            .by('placement', objectKey(target.placement))
            .flatMap(decidedClusters)
        : [],
    );
  }

  function leaveTo(
    deciding: GitOpsCluster,
    cluster: string,
    { serviceAccount }: Target,
  ): Finding | undefined {
    const theirs = deciding.spec?.managedServiceAccountRef || undefined;
    return theirs === serviceAccount
      ? undefined
      : findings.otherDecides(cluster, objectKey(deciding.metadata), {
          object: { kind: 'ManagedCluster', name: cluster },
        });
  }

  /** Makes the cluster's Secret be as it should; answers with why it is not. */
  async function ensureSecret(
    name: string,
    { argoNamespace, serviceAccount }: Target,
    context: ReconcileContext,
  ): Promise<Finding | undefined> {
    const cluster = cache.clusters.get(name);
    if (!cluster || cluster.metadata.deletionTimestamp) {
      return findings.clusterUnknown(name, {
        object: { kind: 'ManagedCluster', name },
      });
    }
    const blank = clusterSecret(cluster, argoNamespace);
    const existing = cache.clusterSecrets.get(objectKey(blank.metadata));
    const access = serviceAccount
      ? await tokens.accessTo(cluster, serviceAccount, existing, context.signal)
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
        return plan.finding;
      case 'create':
        return create(name, plan.secret, context);
      default:
        if (plan.kind === 'patch') {
          await context.writer.patch(
            'clusterSecrets',
            plan.existing,
            plan.patch,
          );
        }
        removal.wanted(existing!);
        return undefined;
    }
  }

  /** The cache holds Secrets of clusters alone: one of another kind may have the name. */
  async function create(
    cluster: string,
    secret: Secret,
    { writer, signal }: ReconcileContext,
  ): Promise<Finding | undefined> {
    const key = objectKey(secret.metadata);
    const other = inTheWay.has(key)
      ? await getSecret(secret.metadata, signal)
      : undefined;
    if (other) {
      return secretKept(cluster, other);
    }
    inTheWay.delete(key);
    try {
      await writer.create('clusterSecrets', secret);
      return undefined;
    } catch (error) {
      const there = isKubernetesError(error, 'alreadyExists')
        ? await getSecret(secret.metadata, signal)
        : undefined;
      if (!there || there.metadata.labels?.[SECRET_TYPE_LABEL] === 'cluster') {
        // Where it is of a cluster, the cache is about to learn of it.
        throw error;
      }
      inTheWay.add(key);
      return secretKept(cluster, there);
    }
  }

  function getSecret(name: ObjectName, signal: AbortSignal) {
    return findObject(client, FLEET_RESOURCES.clusterSecrets, name, { signal });
  }

  async function ensureGenerator(
    gitOpsCluster: GitOpsCluster,
    { argoNamespace }: Target,
    outcome: Outcome,
    context: ReconcileContext,
  ) {
    // Of several that share the namespace one is enough.
    const [first] = claimantsOf(argoNamespace)
      .map(({ claimant }) => objectKey(claimant.metadata))
      .sort();
    if (first !== objectKey(gitOpsCluster.metadata)) {
      return;
    }
    await ensurePlacementGenerator({
      cache,
      namespace: argoNamespace,
      writer: context.writer,
      isRead: name => isRead([name], argoNamespace, outcome, context),
      attempt: work =>
        attempt(outcome, async () => {
          outcome.findings.push(...(await work()));
        }),
    });
  }

  async function tell(
    gitOpsCluster: GitOpsCluster,
    target: ImportTarget | undefined,
    { findings: found, failures, imported }: Outcome,
    { writer }: ReconcileContext,
  ) {
    const status = importStatus(
      gitOpsCluster,
      {
        imported,
        argoNamespace:
          target?.kind === 'target' ? target.argoNamespace : undefined,
        problems: [
          ...failures.map(error => ({
            severity: 'error' as const,
            title: errorMessage(error),
          })),
          ...found,
        ],
      },
      new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    );
    if (status) {
      await writer.patchStatus('gitOpsClusters', gitOpsCluster, status);
    }
  }

  return {
    name: 'clusterImport',
    needs: [
      'gitOpsClusters',
      'placements',
      'decisions',
      'clusters',
      'applications',
    ],
    debounceMs: DEBOUNCE_MS,
    findings: () =>
      cache.isNotServed('gitOpsClusters')
        ? [findings.nothingToImport(cache.hub)]
        : [],
    listKeys: () => cache.gitOpsClusters.keys(),
    mapEventToKeys: change => gitOpsClustersConcernedBy(change, cache),
    reconcile,
  };
}

/** Notes what fails for one object; what fails for all, as when the hub is away, ends the whole. */
async function attempt(outcome: Outcome, work: () => Promise<void>) {
  try {
    await work();
  } catch (error) {
    const ofOneObject =
      isPassing(error) ||
      isKubernetesError(error, 'forbidden', 'invalid') ||
      error instanceof MissingNamespaceError;
    if (!ofOneObject) {
      throw error;
    }
    outcome.failures.push(error);
  }
}

/** The cache was behind the hub; what is true shows at the next attempt. */
function isPassing(failure: unknown): boolean {
  return isKubernetesError(failure, 'conflict', 'alreadyExists', 'notFound');
}

function objectOf({ metadata: { namespace, name } }: GitOpsCluster) {
  return { kind: 'GitOpsCluster', namespace, name };
}
