import { ObjectRef } from '../cluster/clusterStore';
import { FleetContext } from '../hubView';
import { jsonEqual } from '../kubernetes/json';
import { objectKey, splitKey, withCondition } from '../kubernetes/objects';
import { manifestWorks } from '../kubernetes/resources';
import { ManifestWork, ManifestWorkStatus } from '../kubernetes/workTypes';
import { createReconcileQueue } from '../runtime/reconcileQueue';
import { SimulatedCluster } from '../simulatedCluster';
import { createAppliedWorks } from './appliedWorks';
import { applyWork } from './applyWork';
import { configOf, resourceMetaOf } from './manifests';
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
  },
): void {
  const { client, hub, clock, clusters, feedbackPollMs } = context;
  const applied = createAppliedWorks();

  async function reconcile(key: string, requeueAfter: (ms: number) => void) {
    const cluster = clusters.get(splitKey(key).namespace);
    if (!cluster?.reports) {
      return;
    }
    const work = hub.manifestWorks.get(key);
    const known = applied.get(key);
    if (known && known.uid !== work?.metadata.uid) {
      removeResources(key, cluster);
      applied.delete(key);
    }
    if (!work) {
      return;
    }
    if (work.metadata.deletionTimestamp) {
      await finalize(key, work, cluster);
    } else if (!work.metadata.finalizers?.includes(FINALIZER)) {
      await patchFinalizers(work, [
        ...(work.metadata.finalizers ?? []),
        FINALIZER,
      ]);
    } else {
      if (await applyAndReport(key, work, cluster)) {
        requeueAfter(REAPPLY_MS);
      }
    }
  }

  /** Returns whether something could not be applied. */
  async function applyAndReport(
    key: string,
    work: ManifestWork,
    cluster: SimulatedCluster,
  ) {
    const generation = work.metadata.generation ?? 0;
    let state = applied.get(key);
    if (state?.generation !== generation || state.errors.size > 0) {
      const dropped = state?.owned ?? [];
      state = applyWork(work, cluster, clock.now());
      const kept = state.resources;
      applied.set(key, state);
      dropped
        .filter(old => !kept.some(ref => sameObject(ref, old)))
        .filter(old => !applied.isOwnedByOther(key, cluster.name, old))
        .forEach(old => cluster.store.delete(old));
    }
    await report(
      work,
      workStatus(work, cluster.store, state.errors, clock.now()),
    );
    return state.errors.size > 0;
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
          clock.now(),
        ),
      });
      return;
    }
    applied.delete(key);
    await patchFinalizers(
      work,
      work.metadata.finalizers.filter(name => name !== FINALIZER),
    );
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
  function wake(key: string, changed: ObjectRef) {
    const work = hub.manifestWorks.get(key);
    const watched = work?.spec?.workload?.manifests?.some(
      (manifest, ordinal) => {
        const meta = resourceMetaOf(manifest, ordinal);
        return (
          sameObject(meta, changed) &&
          configOf(meta, work.spec?.manifestConfigs ?? [])
            .feedbackScrapeType === 'Watch'
        );
      },
    );
    if (watched || work?.metadata.deletionTimestamp) {
      queue.add(key);
    } else {
      queue.addAfter(key, feedbackPollMs);
    }
  }

  hub.manifestWorks.onChange((now, before) => {
    const work = now ?? before;
    if (work) {
      queue.add(objectKey(work));
    }
  });
  for (const { name, store } of clusters.values()) {
    store.onChange(ref => {
      applied.caringAbout(name, ref).forEach(key => wake(key, ref));
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
