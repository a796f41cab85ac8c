import { ClusterStore, ObjectRef, refKey } from '../cluster/clusterStore';
import { deepMerge, mergePatchOf } from '../kubernetes/json';
import { JsonObject, KubeObject } from '../kubernetes/objects';

/** The field manager of the agent's server-side applies where a work names no other. */
const DEFAULT_MANAGER = 'work-agent';

/**
 * Which fields of an object the agent owns, as `metadata.managedFields` says on
 * a real cluster. What it applied server-side and what it wrote in any other
 * way count as two managers there.
 */
interface FieldOwners {
  /** The object's UID: a new object of the same name has no owners. */
  uid: string | undefined;
  /** The last manifest of each field manager's server-side applies. */
  applied: Map<string, KubeObject>;
  /** The fields written by a create or an update. */
  written: JsonObject;
}

const byStore = new WeakMap<ClusterStore, Map<string, FieldOwners>>();

function ownersOf(store: ClusterStore, ref: ObjectRef): FieldOwners {
  const all = byStore.get(store) ?? new Map<string, FieldOwners>();
  byStore.set(store, all);
  const uid = store.get(ref)?.metadata.uid;
  const known = all.get(refKey(ref));
  if (known && known.uid === uid) {
    return known;
  }
  const owners: FieldOwners = { uid, applied: new Map(), written: {} };
  all.set(refKey(ref), owners);
  return owners;
}

/** The manifest that a field manager last applied to the object server-side. */
export function lastApplied(
  store: ClusterStore,
  ref: ObjectRef,
  manager: string = DEFAULT_MANAGER,
): KubeObject | undefined {
  return ownersOf(store, ref).applied.get(manager);
}

/** The fields that creates and updates of the agent own: a server-side apply does not remove them. */
export function writtenFields(store: ClusterStore, ref: ObjectRef): JsonObject {
  return ownersOf(store, ref).written;
}

/** Puts the object that a server-side apply of the manifest results in. */
export function putApplied(
  store: ClusterStore,
  ref: ObjectRef,
  object: KubeObject,
  manifest: KubeObject,
  manager: string = DEFAULT_MANAGER,
): void {
  store.put(object);
  ownersOf(store, ref).applied.set(manager, manifest);
}

/** Puts an object that the agent creates or updates: it owns the fields that this changes. */
export function putWritten(
  store: ClusterStore,
  ref: ObjectRef,
  object: KubeObject,
): void {
  const before = store.get(ref);
  store.put(object);
  const owners = ownersOf(store, ref);
  const changed = before
    ? mergePatchOf(asJson(before), asJson(object))
    : asJson(object);
  owners.written = deepMerge(owners.written, changed ?? {});
}

function asJson(object: object): JsonObject {
  return { ...object };
}
