/** Finds the keys of objects by the values of an index function. */
export interface ObjectIndex {
  add(value: string, key: string): void;
  remove(value: string, key: string): void;
  /** Keys under the value, in no particular order: a single one as a string, several as a set. */
  keys(value: string): string | ReadonlySet<string> | undefined;
  /** Values that have keys. */
  values(): Iterable<string>;
}

/**
 * Creates an empty index. Most values have one key, and a set of one key takes more memory than most objects; so a
 * single key is stored as a string.
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
