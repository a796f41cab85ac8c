import { randomUUID } from 'node:crypto';

import { ClusterStore, ObjectRef } from '../cluster/clusterStore';
import { KubeObject, OwnerReference, splitKey } from '../kubernetes/objects';

/** The API version and kind of the agents' records, which own what works apply. */
const OWNER_TYPE = {
  apiVersion: 'work.open-cluster-management.io/v1',
  kind: 'AppliedManifestWork',
} as const;

/** A new owner for the objects of the work with this key. */
export function newWorkOwner(key: string): OwnerReference {
  return { ...OWNER_TYPE, name: splitKey(key).name, uid: randomUUID() };
}

/** Adds the owner to an object, or takes it off. Does nothing where the object is absent. */
export function setOwner(
  store: ClusterStore,
  ref: ObjectRef,
  owner: OwnerReference,
  owns: boolean,
): void {
  const object = store.get(ref);
  if (!object || isOwnedBy(object, owner) === owns) {
    return;
  }
  const others = ownersOf(object).filter(({ uid }) => uid !== owner.uid);
  const ownerReferences = owns ? [...others, owner] : others;
  store.put({
    ...object,
    metadata: { ...object.metadata, ownerReferences },
  });
}

/**
 * Gives up objects of an owner, as OCM's agent does for a deleted work and for
 * manifests that a work no longer has: an object that another work owns too
 * only loses this owner, and one that is not owned stays as it is.
 *
 * @returns the objects whose deletion waits for their finalizers
 */
export function releaseObjects(
  store: ClusterStore,
  refs: readonly ObjectRef[],
  owner: OwnerReference,
): ObjectRef[] {
  return refs.filter(ref => {
    const object = store.get(ref);
    if (!object || !isOwnedBy(object, owner)) {
      return false;
    }
    if (ownersOf(object).some(other => isOtherWork(other, owner))) {
      setOwner(store, ref, owner, false);
      return false;
    }
    store.delete(ref);
    return store.get(ref) !== undefined;
  });
}

function ownersOf({ metadata }: KubeObject): readonly OwnerReference[] {
  return metadata.ownerReferences ?? [];
}

function isOwnedBy(object: KubeObject, { uid }: OwnerReference): boolean {
  return ownersOf(object).some(owner => owner.uid === uid);
}

function isOtherWork(other: OwnerReference, owner: OwnerReference): boolean {
  return (
    other.apiVersion === OWNER_TYPE.apiVersion &&
    other.kind === OWNER_TYPE.kind &&
    other.uid !== owner.uid
  );
}
