/**
 * Replaces every text in a JSON value, except keys. Parts in which nothing changes are the same objects, because the
 * cache shares them.
 */
export function mapTexts<T>(value: T, map: (text: string) => string): T {
  return replaceTexts(value, map) as T;
}

function replaceTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') {
    return map(value);
  }
  if (Array.isArray(value)) {
    const mapped = value.map(each => replaceTexts(each, map));
    return mapped.some((each, index) => each !== value[index]) ? mapped : value;
  }
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) {
    return value;
  }
  let changed: Record<string, unknown> | undefined;
  for (const [key, each] of Object.entries(value)) {
    const mapped = replaceTexts(each, map);
    if (mapped !== each) {
      changed ??= { ...value };
      changed[key] = mapped;
    }
  }
  return changed ?? value;
}
