import { ObjectRef, refKey } from '../cluster/clusterStore';
import { FleetContext } from '../hub/hubInformers';
import { objectKey, splitKey } from '../kubernetes/objects';
import { ManifestWork } from '../kubernetes/workTypes';
import { createReconcileQueue } from '../runtime/reconcileQueue';
import { agentsAreActive, SimulatedCluster } from '../cluster/simulatedCluster';
import { createAppliedWorks } from './appliedWorks';
import { applyWork } from './applyWork';
import { createWatchedResources } from './watchedResources';
import { deletingStatus, workStatus } from './workStatus';
import { createWorkWrites, hasFinalizer } from './workWrites';

// The delay before the agent retries a work with manifests that could not be applied.
const REAPPLY_MS = 5_000;

/** Simulates the OCM work agents of all managed clusters over one watch. */
export function startWorkAgents(
  context: FleetContext & {
    clusters: ReadonlyMap<string, SimulatedCluster>;
    feedbackPollMs: number;
    /** Milliseconds for which the resources of a work stay that vanished without its finalizer being removed. */
    evictionMs: number;
    /** Number of resources that an agent watches for feedback; it polls the others. */
    maxFeedbackWatches: number;
  },
): void {
  const { hub, clock, clusters, logger } = context;
  const writes = createWorkWrites(context);
  const applied = createAppliedWorks();
  const watched = createWatchedResources(context.maxFeedbackWatches);
  const worksOn = hub.manifestWorks.index(({ metadata }) => [
    metadata.namespace ?? '',
  ]);
  // Clock ticks at which a work was first missing on the hub, by key.
  const missingSince = new Map<string, number>();

  async function reconcile(key: string, requeueAfter: (ms: number) => void) {
    const cluster = clusters.get(splitKey(key).namespace);
    if (!cluster || !agentsAreActive(cluster)) {
      return;
    }
    const work = hub.manifestWorks.get(key);
    if (!work) {
      evict(key, cluster, requeueAfter);
      return;
    }
    missingSince.delete(key);
    if (work.metadata.deletionTimestamp) {
      await finalize(key, work, cluster);
    } else if (!hasFinalizer(work)) {
      await writes.addFinalizer(work);
    } else if (await applyAndReport(key, work, cluster)) {
      requeueAfter(REAPPLY_MS);
    }
  }

  /**
   * Deletes the resources of a work that vanished. Such a work was lost with its
   * hub, because a deletion waits for the finalizer. Its resources stay for the
   * eviction time, so that the same work finds them when it is created again.
   */
  function evict(
    key: string,
    cluster: SimulatedCluster,
    requeueAfter: (ms: number) => void,
  ) {
    if (!applied.get(key)) {
      return;
    }
    const since = missingSince.get(key) ?? clock.ticks();
    missingSince.set(key, since);
    const leftMs = since + context.evictionMs - clock.ticks();
    if (leftMs > 0) {
      requeueAfter(leftMs);
      return;
    }
    logger.info(
      `${cluster.name} evicts the resources of ${key}: the hub has lost this work.`,
    );
    removeResources(key, cluster);
    deleteRecords(key, cluster);
  }

  /** Applies the work if it changed or had errors, and writes its status. Returns whether a manifest failed. */
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
        logIgnoredFields(key, work);
      }
      const dropped = state?.owned ?? [];
      state = applyWork(work, cluster);
      const kept = state.resources;
      applied.set(key, state);
      watched.update(key, cluster.name, work);
      dropped
        .filter(old => !kept.some(ref => refKey(ref) === refKey(old)))
        .filter(old => !applied.isOwnedByOther(key, cluster.name, old))
        .forEach(old => cluster.store.delete(old));
    }
    await writes.writeStatus(
      work,
      workStatus(work, cluster.store, state.errors, cluster.now()),
    );
    return state.errors.size > 0;
  }

  function logIgnoredFields(key: string, { spec }: ManifestWork) {
    if (spec?.executor) {
      logger.info(
        `${key} has an executor, which is not simulated: its manifests are applied with the agent's own permissions.`,
      );
    }
  }

  async function finalize(
    key: string,
    work: ManifestWork,
    cluster: SimulatedCluster,
  ) {
    if (!hasFinalizer(work)) {
      return;
    }
    removeResources(key, cluster);
    if (applied.ownedAlone(key).some(ref => cluster.store.get(ref))) {
      await writes.writeStatus(work, deletingStatus(work, cluster.now()));
      return;
    }
    deleteRecords(key, cluster);
    await writes.removeFinalizer(work);
  }

  function deleteRecords(key: string, { name }: SimulatedCluster) {
    applied.delete(key);
    watched.update(key, name, undefined);
    missingSince.delete(key);
  }

  function removeResources(key: string, { store }: SimulatedCluster) {
    applied.ownedAlone(key).forEach(ref => store.delete(ref));
  }

  const queue = createReconcileQueue({
    name: 'Work agent',
    reconcile,
    startAfter: hub.waitForSync(),
    ...context,
  });

  /** After a change on the cluster: reports watched resources at once, others at the next poll. */
  function onClusterChange(key: string, cluster: string, changed: ObjectRef) {
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
      applied
        .worksWith(name, ref)
        .forEach(key => onClusterChange(key, name, ref));
    });
    cluster.onFaultsChange(() => {
      if (agentsAreActive(cluster)) {
        // Works may have been created, changed or deleted while the agent was inactive.
        [...worksOn(name).map(objectKey), ...applied.keysOn(name)].forEach(
          key => queue.add(key),
        );
      }
    });
  }
}
