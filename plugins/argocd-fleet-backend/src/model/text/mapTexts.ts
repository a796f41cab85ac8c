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
    let changed: unknown[] | undefined;
    for (let i = 0; i < value.length; i += 1) {
      const mapped = replaceTexts(value[i], map);
      if (mapped !== value[i]) {
        changed ??= [...value];
        changed[i] = mapped;
      }
    }
    return changed ?? value;
  }
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) {
    return value;
  }
  const record = value as Readonly<Record<string, unknown>>;
  let changed: Record<string, unknown> | undefined;
  for (const key of Object.keys(record)) {
    const mapped = replaceTexts(record[key], map);
    if (mapped !== record[key]) {
      changed ??= { ...record };
      changed[key] = mapped;
    }
  }
  return changed ?? value;
}
