import { ObjectRef } from '../cluster/clusterStore';
import { FleetContext } from '../hubView';
import { jsonEqual } from '../kubernetes/json';
import { objectKey, splitKey, withCondition } from '../kubernetes/objects';
import { manifestWorks } from '../kubernetes/resources';
import { ManifestWork, ManifestWorkStatus } from '../kubernetes/workTypes';
import { createReconcileQueue } from '../runtime/reconcileQueue';
import { agentsWork, SimulatedCluster } from '../simulatedCluster';
import { createAppliedWorks } from './appliedWorks';
import { applyWork } from './applyWork';
import { createWatchedResources } from './watchedResources';
import { tooLongMessage, workStatus } from './workStatus';

const FINALIZER = 'cluster.open-cluster-management.io/manifest-work-cleanup';
const FIELD_MANAGER = 'work-agent';
// OCM's agent resyncs a work that could not be applied; this is how soon.
const REAPPLY_MS = 5_000;

/** Plays the OCM work agents of all managed clusters over one watch. */
export function startWorkAgents(
  context: FleetContext & {
    clusters: ReadonlyMap<string, SimulatedCluster>;
    feedbackPollMs: number;
    /** How long resources outlive a work that vanished without being deleted. */
    evictionMs: number;
    /** How many resources an agent watches for feedback; the others are polled. */
    maxFeedbackWatches: number;
  },
): void {
  const { client, hub, clock, clusters, logger } = context;
  const applied = createAppliedWorks();
  const watched = createWatchedResources(context.maxFeedbackWatches);
  const worksOn = hub.manifestWorks.index(({ metadata }) => [
    metadata.namespace ?? '',
  ]);
  // Ticks at which works were first found to be gone from the hub.
  const goneSince = new Map<string, number>();

  async function reconcile(key: string, requeueAfter: (ms: number) => void) {
    const cluster = clusters.get(splitKey(key).namespace);
    if (!cluster || !agentsWork(cluster)) {
      return;
    }
    const work = hub.manifestWorks.get(key);
    if (!work) {
      evict(key, cluster, requeueAfter);
      return;
    }
    goneSince.delete(key);
    if (work.metadata.deletionTimestamp) {
      await finalize(key, work, cluster);
    } else if (!work.metadata.finalizers?.includes(FINALIZER)) {
      await patchFinalizers(work, [
        ...(work.metadata.finalizers ?? []),
        FINALIZER,
      ]);
    } else if (await applyAndReport(key, work, cluster)) {
      requeueAfter(REAPPLY_MS);
    }
  }

  /**
   * A work that vanished was lost with its hub rather than deleted, for that
   * waits for the finalizer. What it brought stays for a while, so that the
   * same work finds it when it is there again.
   */
  function evict(
    key: string,
    cluster: SimulatedCluster,
    requeueAfter: (ms: number) => void,
  ) {
    if (!applied.get(key)) {
      return;
    }
    const since = goneSince.get(key) ?? clock.ticks();
    goneSince.set(key, since);
    const leftMs = since + context.evictionMs - clock.ticks();
    if (leftMs > 0) {
      requeueAfter(leftMs);
      return;
    }
    logger.info(`${cluster.name} evicts ${key}, which the hub lost.`);
    removeResources(key, cluster);
    forget(key, cluster);
  }

  /** Returns whether something could not be applied. */
  async function applyAndReport(
    key: string,
    work: ManifestWork,
    cluster: SimulatedCluster,
  ) {
    const { uid = '', generation = 0 } = work.metadata;
    let state = applied.get(key);
    if (
      state?.generation !== generation ||
      state.uid !== uid ||
      state.errors.size > 0
    ) {
      if (state?.generation !== generation) {
        sayWhatIsIgnored(key, work);
      }
      const dropped = state?.owned ?? [];
      state = applyWork(work, cluster);
      const kept = state.resources;
      applied.set(key, state);
      watched.update(key, cluster.name, work);
      dropped
        .filter(old => !kept.some(ref => sameObject(ref, old)))
        .filter(old => !applied.isOwnedByOther(key, cluster.name, old))
        .forEach(old => cluster.store.delete(old));
    }
    await report(
      work,
      workStatus(work, cluster.store, state.errors, cluster.now()),
    );
    return state.errors.size > 0;
  }

  function sayWhatIsIgnored(key: string, { spec }: ManifestWork) {
    if (spec?.executor) {
      logger.info(
        `${key} names an executor, which is not simulated: its manifests are applied with the agent's own rights.`,
      );
    }
  }

  async function report(work: ManifestWork, status: ManifestWorkStatus) {
    if (jsonEqual(work.status, { ...work.status, ...status })) {
      return;
    }
    const mistake = tooLongMessage(status);
    if (mistake) {
      throw new Error(mistake);
    }
    const written = await client.patch(
      manifestWorks,
      work.metadata,
      {
        metadata: { resourceVersion: work.metadata.resourceVersion },
        status,
      },
      { fieldManager: FIELD_MANAGER, subresource: 'status' },
    );
    hub.manifestWorks.saw(written);
  }

  async function finalize(
    key: string,
    work: ManifestWork,
    cluster: SimulatedCluster,
  ) {
    if (!work.metadata.finalizers?.includes(FINALIZER)) {
      return;
    }
    removeResources(key, cluster);
    const remaining = (applied.get(key)?.owned ?? []).filter(
      ref =>
        !applied.isOwnedByOther(key, cluster.name, ref) &&
        cluster.store.get(ref),
    );
    if (remaining.length > 0) {
      await report(work, {
        conditions: withCondition(
          work.status?.conditions ?? [],
          {
            type: 'Deleting',
            status: 'True',
            reason: 'WorkDeleting',
            message: 'ManifestWork is being deleted',
            observedGeneration: work.metadata.generation,
          },
          cluster.now(),
        ),
      });
      return;
    }
    forget(key, cluster);
    await patchFinalizers(
      work,
      work.metadata.finalizers.filter(name => name !== FINALIZER),
    );
  }

  function forget(key: string, { name }: SimulatedCluster) {
    applied.delete(key);
    watched.update(key, name, undefined);
    goneSince.delete(key);
  }

  function removeResources(key: string, { name, store }: SimulatedCluster) {
    applied
      .get(key)
      ?.owned.filter(ref => !applied.isOwnedByOther(key, name, ref))
      .forEach(ref => store.delete(ref));
  }

  async function patchFinalizers(work: ManifestWork, finalizers: string[]) {
    const { resourceVersion } = work.metadata;
    const written = await client.patch(
      manifestWorks,
      work.metadata,
      { metadata: { finalizers, resourceVersion } },
      { fieldManager: FIELD_MANAGER },
    );
    hub.manifestWorks.saw(written);
  }

  const queue = createReconcileQueue({
    name: 'Work agent',
    reconcile,
    opensAfter: hub.listed(),
    ...context,
  });

  /** A change on the cluster: watched feedback goes home at once, the rest with the next poll. */
  function wake(key: string, cluster: string, changed: ObjectRef) {
    const work = hub.manifestWorks.get(key);
    if (watched.has(cluster, changed) || work?.metadata.deletionTimestamp) {
      queue.add(key);
    } else {
      queue.addAfter(key, context.feedbackPollMs);
    }
  }

  hub.manifestWorks.onChange((now, before) => {
    const work = now ?? before;
    if (work) {
      queue.add(objectKey(work));
    }
  });
  for (const cluster of clusters.values()) {
    const { name, store } = cluster;
    store.onChange(ref => {
      applied.caringAbout(name, ref).forEach(key => wake(key, name, ref));
    });
    cluster.onTroubleChange(() => {
      if (agentsWork(cluster)) {
        // Works that came, changed and went while nobody looked.
        [...worksOn(name).map(objectKey), ...applied.keysOn(name)].forEach(
          key => queue.add(key),
        );
      }
    });
  }
}

function sameObject(left: ObjectRef, right: ObjectRef): boolean {
  return (
    left.group === right.group &&
    left.resource === right.resource &&
    left.namespace === right.namespace &&
    left.name === right.name
  );
}
