import { randomUUID } from 'node:crypto';

import { jsonEqual } from '../kubernetes/json';
import { groupOf, KubeObject, kubeTime } from '../kubernetes/objects';
import { typeOfObject } from './resourceTypes';

/** Which object of a cluster is meant; `namespace` is `""` for cluster-scoped ones. */
export interface ObjectRef {
  group: string;
  resource: string;
  namespace: string;
  name: string;
}

/** Told after an object changed; `now` is undefined when it is gone. */
export type StoreListener = (
  ref: ObjectRef,
  now: KubeObject | undefined,
) => void;

/**
 * What one simulated managed cluster holds. Objects are never changed in
 * place: every write replaces them.
 */
export interface ClusterStore {
  readonly clusterName: string;
  get(ref: ObjectRef): KubeObject | undefined;
  list(group: string, resource: string): KubeObject[];
  /** Creates or replaces; nothing happens when nothing differs. */
  put(object: KubeObject): void;
  /** Removes, or marks for deletion while there are finalizers. */
  delete(ref: ObjectRef): void;
  onChange(listener: StoreListener): void;
}

/** The ref of an object whose kind the clusters know. */
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

/** A cluster with nothing but the given namespaces. */
export function createClusterStore(
  clusterName: string,
  namespaces: readonly string[],
  /** The cluster's own clock. */
  clock: () => Date = () => new Date(),
): ClusterStore {
  const objects = new Map<string, KubeObject>();
  const listeners: StoreListener[] = [];
  const keyOf = ({ group, resource, namespace, name }: ObjectRef) =>
    [group, resource, namespace, name].join('/');
  const tell = (ref: ObjectRef, now: KubeObject | undefined) =>
    listeners.forEach(listener => listener(ref, now));

  function remove(ref: ObjectRef) {
    if (objects.delete(keyOf(ref))) {
      tell(ref, undefined);
    }
  }

  const store: ClusterStore = {
    clusterName,
    get: ref => objects.get(keyOf(ref)),
    list: (group, resource) =>
      [...objects.entries()]
        .filter(([key]) => key.startsWith(`${group}/${resource}/`))
        .map(([, object]) => object),
    put(object) {
      const ref = refOf(object);
      const before = objects.get(keyOf(ref));
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
      objects.set(keyOf(ref), now);
      tell(ref, now);
    },
    delete(ref) {
      const object = objects.get(keyOf(ref));
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
