import {
  COMPONENT_ANNOTATIONS,
  MANAGED_BY,
  MANAGED_BY_LABEL,
  type KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import { normalizeOwner } from 'backstage-plugin-argocd-fleet-node';

/** The owner that is recorded on an object of the hub; undefined where none is, or none that can be read. */
export function recordedOwner({
  metadata,
}: KubernetesObject): string | undefined {
  const recorded = metadata.annotations?.[COMPONENT_ANNOTATIONS.owner];
  return recorded === undefined ? undefined : normalizeOwner(recorded);
}

/** Whether an object records an owner. A record that cannot be read is one: others do not get the object by it. */
export function recordsOwner({ metadata }: KubernetesObject): boolean {
  return Boolean(metadata.annotations?.[COMPONENT_ANNOTATIONS.owner]);
}

/** Whether an object has the mark of those that this project created, and therefore may change. */
export function isOurs({ metadata }: KubernetesObject): boolean {
  return metadata.labels?.[MANAGED_BY_LABEL] === MANAGED_BY;
}

/** Argo CD's mark of what an Application keeps as it is in Git. */
export const TRACKING_ANNOTATION = 'argocd.argoproj.io/tracking-id';

/** Whether an object is kept as it is in Git by an Argo CD of the hub. */
export function isTracked({ metadata }: KubernetesObject): boolean {
  return Boolean(metadata.annotations?.[TRACKING_ANNOTATION]);
}

/**
 * The owner of a Placement. Earlier versions recorded none: then it is the owner of the ApplicationSets that use it, if
 * we made them all and they have the same one.
 * @param usersOf - gives every ApplicationSet that uses it
 */
export function placementOwner(
  placement: KubernetesObject,
  usersOf: () => readonly KubernetesObject[],
): string | undefined {
  if (recordsOwner(placement)) {
    return recordedOwner(placement);
  }
  const [owner, ...others] = new Set(
    usersOf().map(user => (isOurs(user) ? recordedOwner(user) : undefined)),
  );
  return others.length === 0 ? owner : undefined;
}
