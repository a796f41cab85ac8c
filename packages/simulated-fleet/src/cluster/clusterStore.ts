import { randomUUID } from 'node:crypto';

import { jsonEqual } from '../kubernetes/json';
import { groupOf, KubeObject, kubeTime } from '../kubernetes/objects';
import { typeOfObject } from './resourceTypes';

/** Identifies an object of a cluster; `namespace` is `""` for cluster-scoped resources. */
export interface ObjectRef {
  group: string;
  resource: string;
  namespace: string;
  name: string;
}

/** Called after an object changed; `now` is undefined after a deletion. */
export type StoreListener = (
  ref: ObjectRef,
  now: KubeObject | undefined,
) => void;

/**
 * The objects of one simulated managed cluster. They are immutable: every
 * write replaces them.
 */
export interface ClusterStore {
  readonly clusterName: string;
  get(ref: ObjectRef): KubeObject | undefined;
  list(group: string, resource: string): KubeObject[];
  /** Creates or replaces an object; does nothing if the object is unchanged. */
  put(object: KubeObject): void;
  /** Deletes an object; one with finalizers is only marked with a `deletionTimestamp`. */
  delete(ref: ObjectRef): void;
  onChange(listener: StoreListener): void;
}

/**
 * The reference of an object.
 *
 * @throws Error in kubectl's words for a kind that the clusters do not have.
 */
export function refOf(object: KubeObject): ObjectRef {
  const type = typeOfObject(object);
  if (!type) {
    throw new Error(`the server doesn't have a resource type "${object.kind}"`);
  }
  return {
    group: groupOf(object.apiVersion),
    resource: type.resource,
    namespace: type.namespaced ? (object.metadata.namespace ?? '') : '',
    name: object.metadata.name,
  };
}

/** A unique text for the object of a reference. */
export function refKey({
  group,
  resource,
  namespace,
  name,
}: ObjectRef): string {
  return [group, resource, namespace, name].join('/');
}

/** Creates the store of a cluster that has only the given namespaces. */
export function createClusterStore(
  clusterName: string,
  namespaces: readonly string[],
  /** The time of the cluster's own clock. */
  clock: () => Date = () => new Date(),
): ClusterStore {
  const objects = new Map<string, KubeObject>();
  const listeners: StoreListener[] = [];

  const notify = (ref: ObjectRef, now: KubeObject | undefined) =>
    listeners.forEach(listener => listener(ref, now));

  function remove(ref: ObjectRef) {
    if (objects.delete(refKey(ref))) {
      notify(ref, undefined);
    }
  }

  const store: ClusterStore = {
    clusterName,
    get: ref => objects.get(refKey(ref)),
    list: (group, resource) =>
      [...objects.entries()]
        .filter(([key]) => key.startsWith(`${group}/${resource}/`))
        .map(([, object]) => object),
    put(object) {
      const ref = refOf(object);
      const before = objects.get(refKey(ref));
      if (before && jsonEqual(before, object)) {
        return;
      }
      const { metadata } = object;
      if (metadata.deletionTimestamp && !metadata.finalizers?.length) {
        remove(ref);
        return;
      }
      const now = {
        ...object,
        metadata: {
          ...metadata,
          uid: before?.metadata.uid ?? randomUUID(),
          creationTimestamp:
            before?.metadata.creationTimestamp ?? kubeTime(clock()),
        },
      };
      objects.set(refKey(ref), now);
      notify(ref, now);
    },
    delete(ref) {
      const object = objects.get(refKey(ref));
      if (!object?.metadata.finalizers?.length) {
        remove(ref);
        return;
      }
      if (!object.metadata.deletionTimestamp) {
        const metadata = {
          ...object.metadata,
          deletionTimestamp: kubeTime(clock()),
        };
        store.put({ ...object, metadata });
      }
    },
    onChange: listener => {
      listeners.push(listener);
    },
  };
  for (const name of namespaces) {
    store.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  return store;
}
