/** A JSON object as it travels over the wire. */
export type JsonObject = { [key: string]: unknown };

/** Reference of a dependent to the object that owns it. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Who wrote which fields of an object; `fieldsV1` is Kubernetes' own encoding of a field set. */
export interface ManagedFieldsEntry {
  manager?: string;
  operation?: 'Apply' | 'Update';
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: JsonObject;
  subresource?: string;
}

/** The part of an object that the API server itself understands. */
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: { [key: string]: string };
  annotations?: { [key: string]: string };
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  managedFields?: ManagedFieldsEntry[];
  selfLink?: string;
}

/**
 * An object of the API. Once stored it is shared by lists, watches and the
 * event history, so nobody may change it: a write stores a new object.
 */
export interface KubernetesObject extends JsonObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/** Whether a value is a JSON object (and not an array or nothing). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A deep copy of JSON data, several times faster than `structuredClone` on small objects. */
export function copyJson<T>(value: T): T {
  if (Array.isArray(value)) {
    return value.map(copyJson) as T;
  }
  if (isJsonObject(value)) {
    const copy: JsonObject = {};
    for (const key of Object.keys(value)) {
      copy[key] = copyJson(value[key]);
    }
    return copy as T;
  }
  return value;
}

/** Whether two JSON values are the same; an absent member equals an undefined one. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) {
    return true;
  }
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => equalJson(item, b[index]))
    );
  }
  if (!isJsonObject(a) || !isJsonObject(b)) {
    return false;
  }
  for (const key of Object.keys(a)) {
    if (!equalJson(a[key], b[key])) {
      return false;
    }
  }
  for (const key of Object.keys(b)) {
    if (b[key] !== undefined && a[key] === undefined) {
      return false;
    }
  }
  return true;
}
