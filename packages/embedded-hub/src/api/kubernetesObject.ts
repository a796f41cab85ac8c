import { isJsonObject, JsonObject, ObjectMeta } from 'apimachinery';

/**
 * An object of the API. Lists, watches and the event history share a stored object, so it is immutable: a write stores
 * a new object.
 */
export interface KubernetesObject extends JsonObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
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
