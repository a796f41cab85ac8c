import type {
  ArgoApplication,
  Finding,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import {
  HUB_RESOURCES,
  isHubError,
  objectKey,
  type HubChange,
  type HubClient,
} from '../hub';
import {
  argoFinalizersRemoved,
  findings,
  hubApplicationOf,
  isPullModel,
  isReadOnlyWork,
  manifestWorkPatch,
  orphanReason,
  type WorkPlan,
} from '../model';
import type { Controller, ReconcileContext } from './controller';
import { decidedClusters, type FleetCache } from './fleetIndexes';
import { parseKey, type FleetReader } from './fleetReader';

/**
 * Carries each pull-model Application to its cluster: one ManifestWork in the cluster's namespace, and none that nobody wants.
 * A key is a hub Application, whether it exists or only its works do.
 */
export function createPropagation(options: {
  readonly cache: FleetCache;
  readonly reader: FleetReader;
  readonly client: HubClient;
}): Controller {
  const { cache, reader, client } = options;

  function worksOf(key: string) {
    return cache.works.by('hubApplication', key);
  }

  async function reconcile(
    key: string,
    context: ReconcileContext,
  ): Promise<readonly Finding[]> {
    const application = cache.applications.get(key);
    if (application?.metadata.deletionTimestamp) {
      await finishDeletion(application, context);
      return [];
    }
    if (application && isPullModel(application)) {
      return propagate(application, context);
    }
    for (const work of worksOf(key)) {
      await removeOrphan(work, application, context);
    }
    return [];
  }

  async function propagate(
    application: ArgoApplication,
    context: ReconcileContext,
  ): Promise<readonly Finding[]> {
    const plan = reader.plan(application);
    if (plan.kind === 'refused') {
      // What runs stays as it is: a refusal is about what would be written next.
      return [plan.finding];
    }
    const found = plan.kind === 'apply' ? await apply(plan.work, context) : [];
    for (const work of worksOf(objectKey(application.metadata))) {
      // After the new work has been written, so that a retargeted Application is never nowhere.
      if (!isPlanned(work, plan)) {
        await removeOrphan(work, application, context);
      }
    }
    return found;
  }

  async function apply(
    desired: ManifestWork,
    { writer }: ReconcileContext,
  ): Promise<readonly Finding[]> {
    const existing = cache.works.get(objectKey(desired.metadata));
    if (!existing) {
      await writer.create('works', desired);
      return [];
    }
    if (isReadOnlyWork(existing)) {
      return [
        findings.readOnlyWork({
          object: {
            kind: 'ManifestWork',
            namespace: desired.metadata.namespace,
            name: desired.metadata.name,
          },
        }),
      ];
    }
    const patch = manifestWorkPatch(existing, desired);
    if (patch) {
      await writer.patch('works', existing, patch);
    }
    return [];
  }

  /** Removes the works of an Application that is being deleted, then lets it go: nobody else takes Argo CD's finalizers off it. */
  async function finishDeletion(
    application: ArgoApplication,
    { writer }: ReconcileContext,
  ) {
    for (const work of worksOf(objectKey(application.metadata))) {
      await writer.delete('works', work);
    }
    if (!isPullModel(application)) {
      return;
    }
    const finalizers = argoFinalizersRemoved(application);
    if (finalizers.length < (application.metadata.finalizers?.length ?? 0)) {
      await writer.patch('applications', application, {
        metadata: { finalizers },
      });
    }
  }

  async function removeOrphan(
    work: ManifestWork,
    application: ArgoApplication | undefined,
    { writer, signal, logger }: ReconcileContext,
  ) {
    const reason = orphanReason(work, application);
    if (!reason || work.metadata.deletionTimestamp) {
      return;
    }
    if (!application && !(await isReallyGone(work, signal))) {
      return;
    }
    logger.info(`ManifestWork is an orphan: ${reason}`, {
      hub: cache.hub,
      namespace: work.metadata.namespace,
      name: work.metadata.name,
    });
    await writer.delete('works', work);
  }

  /**
   * Two watches are two clocks: a work may be known before the Application that it is for. So the hub itself is asked before a work is
   * removed because its Application is not there.
   */
  async function isReallyGone(work: ManifestWork, signal: AbortSignal) {
    const name = hubApplicationOf(work);
    if (!name) {
      return false;
    }
    try {
      await client.get(HUB_RESOURCES.applications, name, { signal });
      return false;
    } catch (error) {
      if (isHubError(error, 'notFound')) {
        return true;
      }
      throw error;
    }
  }

  return {
    name: 'propagation',
    needs: ['applications', 'works', 'clusters', 'decisions'],
    debounceMs: 0,
    *allKeys() {
      for (const cluster of cache.applications.values('pulledTo')) {
        for (const { metadata } of cache.applications.by('pulledTo', cluster)) {
          yield objectKey(metadata);
        }
      }
      yield* cache.works.values('hubApplication');
    },
    keysOf: change => applicationsConcernedBy(change, cache),
    reconcile,
  };
}

/** Keys of the Applications whose work may have to change. */
function applicationsConcernedBy(
  change: HubChange,
  cache: FleetCache,
): readonly string[] {
  switch (change.resource) {
    case 'applications': {
      const { key, before, after } = change;
      const concerns =
        [before, after].some(it => it && isPullModel(it)) ||
        cache.works.by('hubApplication', key).length > 0;
      return concerns ? [key] : [];
    }
    case 'works':
      return [change.before, change.after].flatMap(work => {
        const application = work && hubApplicationOf(work);
        return application ? [objectKey(application)] : [];
      });
    case 'clusters':
      return isPresenceChange(change)
        ? applicationsFor(cache, change.key, () => true)
        : [];
    case 'decisions': {
      const before = new Set(decidedClusters(change.before));
      const after = new Set(decidedClusters(change.after));
      const { namespace } = parseKey(change.key);
      return [...new Set([...before, ...after])]
        .filter(cluster => before.has(cluster) !== after.has(cluster))
        .flatMap(cluster =>
          applicationsFor(cache, cluster, it => it.namespace === namespace),
        );
    }
    default:
      return [];
  }
}

/** Heartbeats and conditions of a cluster say nothing about whether an Application may go there. */
function isPresenceChange({
  before,
  after,
}: Extract<HubChange, { resource: 'clusters' }>): boolean {
  return (
    JSON.stringify(before?.metadata.labels) !==
      JSON.stringify(after?.metadata.labels) ||
    Boolean(before) !== Boolean(after) ||
    before?.metadata.deletionTimestamp !== after?.metadata.deletionTimestamp
  );
}

function applicationsFor(
  cache: FleetCache,
  cluster: string,
  matches: (metadata: ArgoApplication['metadata']) => boolean,
): string[] {
  return cache.applications
    .by('pulledTo', cluster)
    .map(({ metadata }) => metadata)
    .filter(matches)
    .map(objectKey);
}

function isPlanned({ metadata }: ManifestWork, plan: WorkPlan): boolean {
  return (
    plan.kind === 'apply' &&
    objectKey(plan.work.metadata) === objectKey(metadata)
  );
}
