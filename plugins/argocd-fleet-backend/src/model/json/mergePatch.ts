/** A JSON merge patch (RFC 7386). */
export type MergePatch = Readonly<Record<string, unknown>>;

/** Whether two JSON values are the same; a key that is undefined is a key that is not there. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) {
    return true;
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => sameJson(item, b[index]))
    );
  }
  if (!isRecord(a) || !isRecord(b)) {
    return false;
  }
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every(key =>
    sameJson(a[key], b[key]),
  );
}

/**
 * The changes that make the given keys of `existing` (labels, annotations) those of `desired`: null removes a key, as a merge
 * patch wants it. Other keys belong to others and stay. Undefined where nothing differs.
 */
export function keysPatch(
  existing: Readonly<Record<string, string | undefined>> | undefined,
  desired: Readonly<Record<string, string>> | undefined,
  keys: readonly string[],
): Record<string, string | null> | undefined {
  const changed = keys.filter(key => existing?.[key] !== desired?.[key]);
  return changed.length > 0
    ? Object.fromEntries(changed.map(key => [key, desired?.[key] ?? null]))
    : undefined;
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
