import type {
  KubernetesObject,
  ObjectMeta,
} from 'backstage-plugin-argocd-fleet-common';
import { mapTexts, shownText } from '../../model/text';
import type { ManagedFields } from './specWriter';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Leaves out the metadata that no reader uses, which would be most of the cache. The object given is not changed. */
export function transformObject<T extends KubernetesObject>(object: T): T {
  return { ...object, metadata: transformMetadata(object.metadata) };
}

/** As {@link transformObject}, with the texts of its status as they are shown: clusters and tenants write them. */
export function transformReported<
  T extends KubernetesObject & { readonly status?: unknown },
>(object: T): T {
  const { status } = object;
  return {
    ...transformObject(object),
    ...(status !== undefined && { status: mapTexts(status, shownText) }),
  };
}

/** The metadata without managed fields, and without the manifest that `kubectl apply` leaves there. */
export function transformMetadata(metadata: ObjectMeta): ObjectMeta {
  const { annotations } = metadata;
  return {
    ...metadata,
    // Set to undefined, not removed: an object that has lost a property takes more memory than one with an empty
    // property.
    ...(managedFieldsOf(metadata) && { managedFields: undefined }),
    ...(annotations?.[LAST_APPLIED] !== undefined && {
      annotations: without(annotations, [LAST_APPLIED]),
    }),
  };
}

/** The managed fields of an object as the API server sends it; a stored object has none. */
export function managedFieldsOf(
  metadata: ObjectMeta & { readonly managedFields?: readonly ManagedFields[] },
): readonly ManagedFields[] | undefined {
  return metadata.managedFields;
}

/** A copy of the record without the given keys. */
export function without<T extends object, K extends string>(
  record: T,
  keys: readonly K[],
): Omit<T, K> {
  const left: readonly string[] = keys;
  return Object.fromEntries(
    Object.entries(record).filter(([key]) => !left.includes(key)),
  ) as Omit<T, K>;
}
