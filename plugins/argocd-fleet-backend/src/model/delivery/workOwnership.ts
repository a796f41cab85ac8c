import {
  HUB_APPLICATION_NAMESPACE_ANNOTATION,
  HUB_APPLICATION_NAME_ANNOTATION,
  type ArgoApplication,
  type ManifestWork,
  type NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import { isPullModel, targetCluster } from './deliveryModel';
import { isWorkName } from './workName';

/** Why a work is no longer wanted. */
export type OrphanReason =
  'applicationGone' | 'notPullModel' | 'recreated' | 'retargeted';

/** Whose work it is, by its annotations; undefined for one that is not ours. */
export function hubApplicationOf(
  work: ManifestWork,
): NamespacedName | undefined {
  const annotations = work.metadata.annotations ?? {};
  const namespace = annotations[HUB_APPLICATION_NAMESPACE_ANNOTATION];
  const name = annotations[HUB_APPLICATION_NAME_ANNOTATION];
  return namespace && name ? { namespace, name } : undefined;
}

/**
 * Why a work of ours is an orphan; undefined where it is not, or not ours.
 *
 * An Application re-created under a new UID is recognised by the work's name, which carries (a part of) the UID: no further
 * annotation is needed, so works made by other controllers are told apart too. Should the first five characters of both UIDs
 * agree, the work is the one that the new Application wants.
 * An Application that names no cluster any more is refused, not retargeted: a slip in an annotation must not take a workload down.
 * @param application - the Application that {@link hubApplicationOf} names, from a complete list
 */
export function orphanReason(
  work: ManifestWork,
  application: ArgoApplication | undefined,
): OrphanReason | undefined {
  if (!hubApplicationOf(work)) {
    return undefined;
  }
  return application ? reasonAgainst(work, application) : 'applicationGone';
}

/** Whether a work that names the Application, as {@link hubApplicationOf} tells, is the one that it has. */
export function isWorkOf(
  work: ManifestWork,
  application: ArgoApplication,
): boolean {
  return reasonAgainst(work, application) === undefined;
}

function reasonAgainst(
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
  return target && target !== work.metadata.namespace
    ? 'retargeted'
    : undefined;
}

/** Whether {@link orphanReason} has one. A retargeted work is removed only after its successor exists. */
export function isOrphan(
  work: ManifestWork,
  application: ArgoApplication | undefined,
): boolean {
  return orphanReason(work, application) !== undefined;
}
