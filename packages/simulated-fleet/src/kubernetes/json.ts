import { JsonObject } from './objects';

/** True for a JSON object, false for arrays, null and scalars. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Equality of two JSON values; a field that is `undefined` counts as absent. */
export function jsonEqual(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return (
      left.length === right.length &&
      left.every((item, index) => jsonEqual(item, right[index]))
    );
  }
  if (isJsonObject(left) && isJsonObject(right)) {
    return (
      Object.keys(left).every(key => jsonEqual(left[key], right[key])) &&
      Object.keys(right).every(
        key => right[key] === undefined || left[key] !== undefined,
      )
    );
  }
  return left === right;
}

/** The JSON merge patch (RFC 7386) from `from` to `to`, or undefined if they are equal. */
export function mergePatchOf(
  from: JsonObject,
  to: JsonObject,
): JsonObject | undefined {
  const patch: JsonObject = {};
  for (const key of Object.keys(from)) {
    if (from[key] !== undefined && to[key] === undefined) {
      patch[key] = null;
    }
  }
  for (const [key, value] of Object.entries(to)) {
    const before = from[key];
    if (value === undefined) {
      continue;
    }
    if (isJsonObject(before) && isJsonObject(value)) {
      const nested = mergePatchOf(before, value);
      if (nested) {
        patch[key] = nested;
      }
    } else if (!jsonEqual(before, value)) {
      patch[key] = value;
    }
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}

/** Merges `override` into `base`: objects key by key; every other value is replaced. */
export function deepMerge(base: JsonObject, override: JsonObject): JsonObject {
  const merged: JsonObject = { ...base };
  for (const [key, value] of Object.entries(override)) {
    const before = merged[key];
    merged[key] =
      isJsonObject(before) && isJsonObject(value)
        ? deepMerge(before, value)
        : value;
  }
  return merged;
}

/** JSON with sorted keys: equal values have equal texts. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, nested) =>
    isJsonObject(nested)
      ? Object.fromEntries(
          Object.entries(nested).sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : nested,
  );
}
