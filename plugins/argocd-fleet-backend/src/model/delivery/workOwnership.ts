import {
  isNamespaceName,
  isObjectName,
  HUB_APPLICATION_NAMESPACE_ANNOTATION,
  HUB_APPLICATION_NAME_ANNOTATION,
  type ArgoApplication,
  type ManifestWork,
  type NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import { isPullModel, targetCluster } from './deliveryModel';
import { payloadNamespace } from './payloadApplication';
import { applicationManifest } from './workManifests';
import { isWorkName } from './workName';

/** Why a work is an orphan: it does not deliver its Application as that is now. */
export type OrphanReason =
  'applicationGone' | 'notPullModel' | 'recreated' | 'retargeted' | 'moved';

/**
 * The hub Application of a work, read from its annotations; undefined for works that the pull model did not create, and
 * where these are no names: agents may write them.
 */
export function hubApplicationOf(
  work: ManifestWork,
): NamespacedName | undefined {
  const annotations = work.metadata.annotations ?? {};
  const namespace = annotations[HUB_APPLICATION_NAMESPACE_ANNOTATION];
  const name = annotations[HUB_APPLICATION_NAME_ANNOTATION];
  return namespace && name && isNamespaceName(namespace) && isObjectName(name)
    ? { namespace, name }
    : undefined;
}

/**
 * Why a work of the pull model is an orphan; undefined if it is none, or not a work of the pull model.
 *
 * An Application re-created under a new UID is recognised by the work's name, which contains (a part of) the UID. This
 * needs no further annotation, so it also works for works of other controllers. If the first five characters of both
 * UIDs are equal, the work is the one that the new Application needs.
 * An Application that no longer names a cluster is refused, not retargeted: a typing error in an annotation must not
 * delete a workload.
 * @param application - the Application of {@link hubApplicationOf}, from a complete list
 */
export function orphanReason(
  work: ManifestWork,
  application: ArgoApplication | undefined,
): OrphanReason | undefined {
  if (!hubApplicationOf(work)) {
    return undefined;
  }
  return application ? orphanReasonFor(work, application) : 'applicationGone';
}

/**
 * The work, of those whose {@link hubApplicationOf} is the Application, that delivers it. Until there is one where the
 * Application is wanted now, it is the one that has it in another namespace of its cluster.
 */
export function deliveringWork<T extends ManifestWork>(
  works: readonly T[],
  application: ArgoApplication,
): T | undefined {
  const reasons = works.map(work => orphanReasonFor(work, application));
  const current = works.find((_, index) => reasons[index] === undefined);
  return current ?? works.find((_, index) => reasons[index] === 'moved');
}

function orphanReasonFor(
  work: ManifestWork,
  application: ArgoApplication,
): OrphanReason | undefined {
  if (!isPullModel(application)) {
    return 'notPullModel';
  }
  if (!isWorkName(application, work.metadata.name)) {
    return 'recreated';
  }
  const target = targetCluster(application);
  if (target && target !== work.metadata.namespace) {
    return 'retargeted';
  }
  const delivered = applicationManifest(work)?.metadata.namespace;
  return delivered && delivered !== payloadNamespace(application)
    ? 'moved'
    : undefined;
}

/** Whether the work has an {@link orphanReason}; whether it is deleted is decided in model/removal. */
export function isOrphan(
  work: ManifestWork,
  application: ArgoApplication | undefined,
): boolean {
  return orphanReason(work, application) !== undefined;
}
