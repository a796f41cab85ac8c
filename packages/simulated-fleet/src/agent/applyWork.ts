import { applyRank } from './applyOrder';
import { REFRESH_ANNOTATION, settledApplication } from '../argocd/nextStep';
import { Application } from '../kubernetes/argocdTypes';
import { ManifestWork, ResourceMeta } from '../kubernetes/workTypes';
import { errorMessage } from '../runtime/errorMessage';
import { SimulatedCluster } from '../cluster/simulatedCluster';
import { AppliedWork } from './appliedWorks';
import { applyManifest } from './applyManifest';
import { configOf, isDeletedWithWork, resourceMetaOf } from './manifests';

/** The health statuses in which an Application stays until something changes. */
const SETTLED = ['Healthy', 'Degraded', 'Suspended'];

/** Applies every manifest of a work to its cluster; a failure does not stop the others. */
export function applyWork(
  work: ManifestWork,
  cluster: SimulatedCluster,
): AppliedWork {
  const manifests = (work.spec?.workload?.manifests ?? []).map(
    (manifest, ordinal) => ({
      manifest,
      meta: resourceMetaOf(manifest, ordinal),
    }),
  );
  const errors = new Map<number, string>();
  const configs = work.spec?.manifestConfigs ?? [];
  for (const { manifest, meta } of [...manifests].sort(
    (a, b) => applyRank(a.meta) - applyRank(b.meta),
  )) {
    try {
      const isNew = Boolean(meta.resource) && !cluster.store.get(meta);
      applyManifest(
        cluster.store,
        manifest,
        configOf(meta, configs).updateStrategy,
      );
      if (isNew && meta.resource === 'applications') {
        restoreSettled(work, cluster, meta);
      }
    } catch (error) {
      errors.set(meta.ordinal, errorMessage(error));
    }
  }
  const known = manifests.map(({ meta }) => meta).filter(m => m.resource);
  return {
    uid: work.metadata.uid ?? '',
    generation: work.metadata.generation ?? 0,
    resources: known,
    owned: known.filter(
      meta =>
        isDeletedWithWork(meta, work.spec?.deleteOption) &&
        configOf(meta, configs).updateStrategy?.type !== 'ReadOnly',
    ),
    errors,
  };
}

/**
 * Restores the status of a new Application that its work reports as settled.
 * The clusters exist in memory only: after a restart of the fleet such an
 * Application is restored and not deployed again.
 */
function restoreSettled(
  work: ManifestWork,
  { store, environment, now }: SimulatedCluster,
  meta: ResourceMeta,
) {
  const values = work.status?.resourceStatus?.manifests?.find(
    ({ resourceMeta }) => resourceMeta.ordinal === meta.ordinal,
  )?.statusFeedback?.values;
  const value = (name: string) =>
    values?.find(entry => entry.name === name)?.fieldValue.string;
  const upToDate = work.status?.conditions?.some(
    ({ type, observedGeneration }) =>
      type === 'Applied' && observedGeneration === work.metadata.generation,
  );
  const application = store.get(meta) as Application | undefined;
  if (
    !application ||
    !upToDate ||
    !SETTLED.includes(value('healthStatus') ?? '') ||
    value('syncStatus') !== 'Synced'
  ) {
    return;
  }
  const { [REFRESH_ANNOTATION]: _done, ...annotations } =
    application.metadata.annotations ?? {};
  const startedAt = Date.parse(value('operationStateStartedAt') ?? '');
  store.put(
    settledApplication(
      {
        ...application,
        operation: undefined,
        metadata: { ...application.metadata, annotations },
      },
      environment,
      Number.isNaN(startedAt) ? now() : new Date(startedAt),
    ),
  );
}
