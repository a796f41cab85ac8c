import { ObjectRef } from '../cluster/clusterStore';
import { FleetContext } from '../hub/hubInformers';
import { objectKey, splitKey } from '../kubernetes/objects';
import { ManifestWork } from '../kubernetes/workTypes';
import { createReconcileQueue } from '../runtime/reconcileQueue';
import { agentsAreActive, SimulatedCluster } from '../cluster/simulatedCluster';
import { createAppliedWorks, objectsOf } from './appliedWorks';
import { applyWork, isAsApplied } from './applyWork';
import { createReapplication } from './reapplication';
import { createWatchedResources } from './watchedResources';
import { releaseObjects } from './workOwners';
import { deletingStatus, workStatus } from './workStatus';
import { createWorkWrites, hasFinalizer } from './workWrites';

// The delay before the agent retries a work with manifests that could not be applied.
const RETRY_MS = 5_000;

/** Simulates the OCM work agents of all managed clusters over one watch. */
export function startWorkAgents(
  context: FleetContext & {
    clusters: ReadonlyMap<string, SimulatedCluster>;
    feedbackPollMs: number;
    /** Milliseconds for which the resources of a work stay that vanished without its finalizer being removed. */
    evictionMs: number;
    /** Milliseconds after which a work is applied again without a change, at the earliest; half as long again at the latest. */
    reapplyMs: number;
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
  const reapplication = createReapplication({
    clock,
    signal: context.signal,
    intervalMs: context.reapplyMs,
    reapply,
  });
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
      requeueAfter(RETRY_MS);
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
    release(key, cluster);
    deleteRecords(key, cluster);
  }

  /** Applies the work if it changed or had errors, and writes its status. Returns whether a manifest failed. */
  async function applyAndReport(
    key: string,
    work: ManifestWork,
    cluster: SimulatedCluster,
  ) {
    const { uid, generation } = work.metadata;
    let state = applied.get(key);
    const last = state?.work.metadata;
    if (
      !state ||
      last?.generation !== generation ||
      last?.uid !== uid ||
      state.errors.size > 0
    ) {
      if (last?.generation !== generation) {
        logIgnoredFields(key, work);
      }
      state = apply(key, work, cluster);
      watched.update(key, cluster.name, work);
    }
    await writes.writeStatus(
      work,
      workStatus(work, cluster.store, state.errors, cluster.now()),
    );
    return state.errors.size > 0;
  }

  function apply(key: string, work: ManifestWork, cluster: SimulatedCluster) {
    const state = applyWork(key, work, cluster, applied.get(key));
    applied.set(key, state);
    reapplication.schedule(key);
    return state;
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
    if (release(key, cluster).length > 0) {
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

  /** Gives up all objects of a work; returns those whose deletion waits for their finalizers. */
  function release(key: string, { store }: SimulatedCluster): ObjectRef[] {
    const state = applied.get(key);
    return state ? releaseObjects(store, objectsOf(state), state.owner) : [];
  }

  const queue = createReconcileQueue({
    name: 'Work agent',
    reconcile,
    startAfter: hub.waitForSync(),
    ...context,
  });

  /**
   * Makes again what somebody deleted on the cluster, and repairs what somebody
   * changed. Reports nothing itself: a change of an object requeues the work. An
   * agent that cannot reach the hub applies what it last read there.
   */
  function reapply(key: string) {
    const state = applied.get(key);
    const cluster = clusters.get(splitKey(key).namespace);
    if (!state || !cluster) {
      return;
    }
    reapplication.schedule(key);
    const onHub = cluster.faults.offline
      ? state.work
      : hub.manifestWorks.get(key);
    const isCurrent =
      onHub?.metadata.uid === state.work.metadata.uid &&
      onHub?.metadata.generation === state.work.metadata.generation &&
      !onHub?.metadata.deletionTimestamp;
    if (
      cluster.faults.apiServerDown ||
      !isCurrent ||
      isAsApplied(state, cluster)
    ) {
      return;
    }
    if (apply(key, state.work, cluster).errors.size > 0) {
      queue.add(key);
    }
  }

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
