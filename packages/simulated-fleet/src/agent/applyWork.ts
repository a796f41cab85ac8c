import { applyRank } from './applyOrder';
import { REFRESH_ANNOTATION, settledApplication } from '../argocd/nextStep';
import { Application } from '../kubernetes/argocdTypes';
import { OwnerReference } from '../kubernetes/objects';
import {
  ManifestWork,
  ResourceMeta,
  UpdateStrategy,
} from '../kubernetes/workTypes';
import { errorMessage } from '../runtime/errorMessage';
import { ClusterStore, ObjectRef, refKey } from '../cluster/clusterStore';
import { SimulatedCluster } from '../cluster/simulatedCluster';
import { AppliedWork } from './appliedWorks';
import { applyManifest } from './applyManifest';
import { configOf, isDeletedWithWork, resourceMetaOf } from './manifests';
import { newWorkOwner, releaseObjects, setOwner } from './workOwners';

/** The health statuses in which an Application stays until something changes. */
const SETTLED = ['Healthy', 'Degraded', 'Suspended'];

/**
 * Applies every manifest of a work to its cluster; a failure does not stop the
 * others. Then gives up the objects that the work had before and has no more.
 */
export function applyWork(
  key: string,
  work: ManifestWork,
  cluster: SimulatedCluster,
  /** The record of the last application, if there was one. */
  before: AppliedWork | undefined,
): AppliedWork {
  const { store } = cluster;
  const owner = before?.owner ?? newWorkOwner(key);
  const manifests = manifestsOf(work);
  const errors = new Map<number, string>();
  for (const { manifest, meta, strategy } of manifests) {
    try {
      const isNew = Boolean(meta.resource) && !store.get(meta);
      applyManifest(store, manifest, strategy);
      if (isWritten({ strategy })) {
        const owns = isDeletedWithWork(meta, work.spec?.deleteOption);
        setOwner(store, meta, owner, owns);
      }
      if (isNew && meta.resource === 'applications' && !had(before, meta)) {
        restoreSettled(work, cluster, meta);
      }
    } catch (error) {
      errors.set(meta.ordinal, errorMessage(error));
    }
  }
  const known = manifests.filter(({ meta }) => meta.resource);
  const resources = known.map(({ meta }) => meta);
  const applied =
    known.length === manifests.length
      ? appliedObjects(resources, before?.applied ?? [], owner, store)
      : // As in OCM, nothing is given up while the kind of a manifest is unknown.
        (before?.applied ?? []);
  const written = known
    .filter(isWritten)
    .map(({ meta }) => ({ ref: meta, object: store.get(meta) }));
  return { owner, work, resources, applied, written, errors };
}

function had(before: AppliedWork | undefined, meta: ResourceMeta): boolean {
  return Boolean(before?.applied.some(ref => refKey(ref) === refKey(meta)));
}

/** Whether nobody has changed or deleted an object of the work since it was applied. */
export function isAsApplied(
  { written }: AppliedWork,
  { store }: SimulatedCluster,
): boolean {
  // The store never changes an object: it replaces it.
  return written.every(({ ref, object }) => store.get(ref) === object);
}

/** The manifests of a work in the order in which the agent applies them. */
function manifestsOf({ spec }: ManifestWork) {
  return (spec?.workload?.manifests ?? [])
    .map((manifest, ordinal) => {
      const meta = resourceMetaOf(manifest, ordinal);
      const { updateStrategy } = configOf(meta, spec?.manifestConfigs ?? []);
      return { manifest, meta, strategy: updateStrategy };
    })
    .sort((a, b) => applyRank(a.meta) - applyRank(b.meta));
}

/** The agent leaves ReadOnly manifests as they are, and their owners too. */
function isWritten({ strategy }: { strategy?: UpdateStrategy }): boolean {
  return strategy?.type !== 'ReadOnly';
}

function appliedObjects(
  resources: readonly ResourceMeta[],
  before: readonly ObjectRef[],
  owner: OwnerReference,
  store: ClusterStore,
): ObjectRef[] {
  const kept = new Set(resources.map(refKey));
  const dropped = before.filter(ref => !kept.has(refKey(ref)));
  return [
    ...resources.filter(ref => store.get(ref)),
    ...releaseObjects(store, dropped, owner),
  ];
}

/**
 * Restores the status of a new Application that its work reports as settled,
 * when this fleet makes the Application for the first time. The clusters exist in memory only: after a restart of the fleet such an
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
