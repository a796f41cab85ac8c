/** What the decision about a key rested on; compared element by element, by identity. */
export type Inputs = readonly unknown[];

/**
 * Remembers with which inputs each key was last found to need nothing, so that a full pass can leave it alone. Keys that a pass no
 * longer names are forgotten with its end.
 */
export interface SettledKeys {
  /** Keys that need nothing, as far as the pass under way has come. */
  readonly size: number;
  beginPass(): void;
  /** To be called once the pass has named every key. */
  endPass(): void;
  /** Whether the key needs nothing, or this pass has seen already that it does not. */
  confirm(key: string, inputsOf: (key: string) => Inputs | undefined): boolean;
  has(key: string): boolean;
  settle(key: string, inputs: Inputs): void;
  unsettle(key: string): void;
}

/** Creates an empty memory. */
export function createSettledKeys(): SettledKeys {
  /** Settled before the pass began, and not named by it yet. */
  let earlier = new Map<string, Inputs>();
  let current = new Map<string, Inputs>();
  return {
    get size() {
      return current.size;
    },
    beginPass() {
      if (earlier.size === 0) {
        earlier = current;
      } else {
        // The pass before was broken off.
        for (const [key, inputs] of current) {
          earlier.set(key, inputs);
        }
      }
      current = new Map();
    },
    endPass() {
      earlier = new Map();
    },
    confirm(key, inputsOf) {
      if (current.has(key)) {
        return true;
      }
      const inputs = earlier.get(key);
      if (!inputs || !sameElements(inputs, inputsOf(key))) {
        return false;
      }
      current.set(key, inputs);
      return true;
    },
    has: key => current.has(key),
    settle(key, inputs) {
      // A copy has no room to grow, which lists that were put together from others have a lot of.
      current.set(key, inputs.slice());
    },
    unsettle(key) {
      current.delete(key);
      earlier.delete(key);
    },
  };
}

function sameElements(a: Inputs, b: Inputs | undefined): boolean {
  if (!b || a.length !== b.length) {
    return false;
  }
  for (let i = 0; i < a.length; i += 1) {
    if (a[i] !== b[i]) {
      return false;
    }
  }
  return true;
}
