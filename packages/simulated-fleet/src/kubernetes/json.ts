import { equalJson as jsonEqual, isJsonObject, JsonObject } from 'apimachinery';

export { isJsonObject, jsonEqual };

/** A JSON merge patch (RFC 7386) that turns `from` into `to`, or undefined when they are equal. */
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

/** Merges `override` over `base`: objects key by key, everything else replaced. */
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

/** JSON with sorted keys, so that equal values have equal text. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, nested) =>
    isJsonObject(nested)
      ? Object.fromEntries(
          Object.entries(nested).sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : nested,
  );
}
