import { equalJson as jsonEqual, isJsonObject, JsonObject } from 'apimachinery';

export { isJsonObject, jsonEqual };

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
