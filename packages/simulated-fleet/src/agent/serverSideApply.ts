import { isJsonObject, jsonEqual } from '../kubernetes/json';
import { JsonObject, KubeObject } from '../kubernetes/objects';

/**
 * An object after a forced server-side apply. Fields of the manifest replace the
 * live ones. Fields of the previous manifest only are removed, unless the
 * cluster has changed them. All other fields stay. Lists whose elements have
 * names are merged by name; other lists are replaced.
 */
export function serverSideApplied(
  live: KubeObject,
  /** The previously applied manifest, without fields that must never be removed. */
  before: KubeObject | undefined,
  manifest: KubeObject,
): KubeObject {
  const { status: _ignored, ...desired } = manifest;
  const result = appliedObject(
    asJson(live),
    asJson(before ?? {}),
    asJson(desired),
  );
  return { ...live, ...result, status: live.status } as KubeObject & JsonObject;
}

function appliedObject(
  live: JsonObject,
  before: JsonObject,
  desired: JsonObject,
): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(live)) {
    const isRemoved =
      !(key in desired) && key in before && jsonEqual(before[key], value);
    if (!isRemoved) {
      result[key] = value;
    }
  }
  for (const [key, value] of Object.entries(desired)) {
    result[key] = appliedValue(live[key], before[key], value);
  }
  return result;
}

function appliedValue(
  live: unknown,
  before: unknown,
  desired: unknown,
): unknown {
  if (isJsonObject(live) && isJsonObject(desired)) {
    return appliedObject(live, isJsonObject(before) ? before : {}, desired);
  }
  if (isNamedList(live) && isNamedList(desired)) {
    const old = isNamedList(before) ? before : [];
    const given = new Set(desired.map(({ name }) => name));
    const others = live.filter(
      ({ name }) => !given.has(name) && !old.some(entry => entry.name === name),
    );
    return [
      ...desired.map(entry =>
        appliedObject(
          live.find(({ name }) => name === entry.name) ?? {},
          old.find(({ name }) => name === entry.name) ?? {},
          entry,
        ),
      ),
      ...others,
    ];
  }
  return desired;
}

function isNamedList(
  value: unknown,
): value is (JsonObject & { name: string })[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(entry => isJsonObject(entry) && typeof entry.name === 'string')
  );
}

/** An object as untyped JSON. */
function asJson(object: object): JsonObject {
  return { ...object };
}
