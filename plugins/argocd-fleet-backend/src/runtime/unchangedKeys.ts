/** What the decision about a key rested on; compared element by element, by identity. */
export type Dependencies = readonly unknown[];

/**
 * Remembers with which inputs each key was last found to need nothing, so that a full pass can leave it alone. Keys that a pass does
 * not name are forgotten with its end.
 */
export interface UnchangedKeys {
  readonly size: number;
  has(key: string): boolean;
  beginPass(): void;
  /** To be called once the pass has named every key. */
  endPass(): void;
  /** Whether the key needs nothing. */
  holds(
    key: string,
    inputsOf: (key: string) => Dependencies | undefined,
  ): boolean;
  /** As `holds`, for a pass that names the key: whatever it is that it has confirmed once, it does not ask for again. */
  confirm(
    key: string,
    inputsOf: (key: string) => Dependencies | undefined,
  ): boolean;
  settle(key: string, inputs: Dependencies): void;
  unsettle(key: string): void;
}

/** Creates an empty memory. */
export function createUnchangedKeys(): UnchangedKeys {
  /** The inputs, and behind them the number of the last pass that has named the key: an object for both would be as large again. */
  const settled = new Map<string, unknown[]>();
  let pass = 0;
  return {
    get size() {
      return settled.size;
    },
    has: key => settled.has(key),
    beginPass() {
      pass += 1;
    },
    endPass() {
      for (const [key, known] of settled) {
        if (known[known.length - 1] !== pass) {
          settled.delete(key);
        }
      }
    },
    holds(key, inputsOf) {
      const known = settled.get(key);
      return (
        known !== undefined &&
        beginsWith(known, inputsOf(key), known.length - 1)
      );
    },
    confirm(key, inputsOf) {
      const known = settled.get(key);
      if (!known) {
        return false;
      }
      const last = known.length - 1;
      if (known[last] === pass) {
        return true;
      }
      if (!beginsWith(known, inputsOf(key), last)) {
        return false;
      }
      known[last] = pass;
      return true;
    },
    settle(key, inputs) {
      settled.set(key, inputs.concat(pass));
    },
    unsettle: key => void settled.delete(key),
  };
}

function beginsWith(
  known: Dependencies,
  inputs: Dependencies | undefined,
  length: number,
): boolean {
  if (!inputs || inputs.length !== length) {
    return false;
  }
  for (let i = 0; i < length; i += 1) {
    if (known[i] !== inputs[i]) {
      return false;
    }
  }
  return true;
}
