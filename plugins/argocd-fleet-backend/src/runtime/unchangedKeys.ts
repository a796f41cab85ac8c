/** What the decision about a key depended on; compared element by element, by identity. */
export type Dependencies = readonly unknown[];

type ReadDependencies = (key: string) => Dependencies | undefined;

/**
 * Remembers the dependencies with which each key was last found to need nothing, so that a full pass can skip it. At
 * the end of a pass, keys that it did not list are dropped.
 */
export interface UnchangedKeys {
  readonly size: number;
  has(key: string): boolean;
  beginPass(): void;
  /** To be called once the pass has listed every key. */
  endPass(): void;
  /** Whether the key still needs nothing. */
  holds(key: string, dependenciesOf: ReadDependencies): boolean;
  /**
   * As `holds`, for a key that the current pass lists; a key that the pass has confirmed once is not compared again.
   */
  confirm(key: string, dependenciesOf: ReadDependencies): boolean;
  set(key: string, dependencies: Dependencies): void;
  delete(key: string): void;
}

/** Creates an empty memory. */
export function createUnchangedKeys(): UnchangedKeys {
  /**
   * The dependencies, followed by the number of the last pass that listed the key: an object for both would take twice
   * the memory.
   */
  const entries = new Map<string, unknown[]>();
  let pass = 0;
  return {
    get size() {
      return entries.size;
    },
    has: key => entries.has(key),
    beginPass() {
      pass += 1;
    },
    endPass() {
      for (const [key, known] of entries) {
        if (known[known.length - 1] !== pass) {
          entries.delete(key);
        }
      }
    },
    holds(key, dependenciesOf) {
      const known = entries.get(key);
      return (
        known !== undefined &&
        beginsWith(known, dependenciesOf(key), known.length - 1)
      );
    },
    confirm(key, dependenciesOf) {
      const known = entries.get(key);
      if (!known) {
        return false;
      }
      const last = known.length - 1;
      if (known[last] === pass) {
        return true;
      }
      if (!beginsWith(known, dependenciesOf(key), last)) {
        return false;
      }
      known[last] = pass;
      return true;
    },
    set(key, dependencies) {
      entries.set(key, dependencies.concat(pass));
    },
    delete: key => void entries.delete(key),
  };
}

function beginsWith(
  known: Dependencies,
  dependencies: Dependencies | undefined,
  length: number,
): boolean {
  if (!dependencies || dependencies.length !== length) {
    return false;
  }
  for (let i = 0; i < length; i += 1) {
    if (known[i] !== dependencies[i]) {
      return false;
    }
  }
  return true;
}
