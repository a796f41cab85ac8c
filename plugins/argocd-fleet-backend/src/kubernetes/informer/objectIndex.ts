/** Finds keys by values. */
export interface ObjectIndex {
  add(value: string, key: string): void;
  remove(value: string, key: string): void;
  /** Keys under the value, in no particular order: one by itself, or a set of several. */
  keys(value: string): string | ReadonlySet<string> | undefined;
  /** Values under which there is anything. */
  values(): Iterable<string>;
}

/**
 * Creates an empty index. Most values have one key, and a set for one key would take more memory than most objects do, so that a single
 * key stands for itself.
 */
export function createObjectIndex(): ObjectIndex {
  const entries = new Map<string, string | Set<string>>();
  return {
    add(value, key) {
      const entry = entries.get(value);
      if (entry === undefined) {
        entries.set(value, key);
      } else if (typeof entry !== 'string') {
        entry.add(key);
      } else if (entry !== key) {
        entries.set(value, new Set([entry, key]));
      }
    },
    remove(value, key) {
      const entry = entries.get(value);
      if (entry === key) {
        entries.delete(value);
      } else if (
        entry instanceof Set &&
        entry.delete(key) &&
        entry.size === 1
      ) {
        const [last] = entry;
        entries.set(value, last);
      }
    },
    keys: value => entries.get(value),
    values: () => entries.keys(),
  };
}
