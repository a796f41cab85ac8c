import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';

/**
 * The resource version of an object as a number, by which all objects of a resource are ordered, also those of one name
 * that were created one after another. NaN, which is neither lower nor higher than anything, where it is not a number.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions
 */
export function versionOf({ metadata }: KubernetesObject): number {
  return Number(metadata.resourceVersion);
}

/** Whether both are one object, at whatever versions, and not two that were created under one name. */
export function isSameObject<T extends KubernetesObject>(
  a: T | undefined,
  b: KubernetesObject,
): a is T {
  return a !== undefined && a.metadata.uid === b.metadata.uid;
}

/** Whether both are one object at one version. */
export function isSameVersion(
  a: KubernetesObject | undefined,
  b: KubernetesObject,
): boolean {
  return (
    isSameObject(a, b) &&
    a.metadata.resourceVersion === b.metadata.resourceVersion
  );
}
