/** One forbidden key, the probe, is retried this often, so that a restored permission is noticed soon; milliseconds. */
const PROBE_EVERY_MS = 15_000;

/**
 * Keys that wait because the hub forbids a write. Retrying ten thousand of them every few seconds would flood the hub,
 * so only one is retried often. When its write is allowed, the others are retried too.
 */
export interface ForbiddenKeys {
  /** Notes a forbidden write. Returns the milliseconds until the key is retried, at most `afterMs`. */
  add(key: string, afterMs: number): number;
  /**
   * Notes that the key is no longer forbidden.
   * @param wrote - whether it wrote; false if there was nothing left to write
   * @returns other keys to be retried now
   */
  remove(key: string, wrote: boolean): string[];
}

/** Creates the forbidden keys of one controller on one hub. */
export function createForbiddenKeys(): ForbiddenKeys {
  /** With the number of releases before the key was last forbidden. */
  const keys = new Map<string, number>();
  let releases = 0;
  let probe: string | undefined;
  return {
    add(key, afterMs) {
      keys.set(key, releases);
      probe ??= key;
      return key === probe ? Math.min(afterMs, PROBE_EVERY_MS) : afterMs;
    },
    remove(key, wrote) {
      const releasesBefore = keys.get(key);
      keys.delete(key);
      // A key that was itself released says nothing new: with rights for one namespace of many, each would release all
      // others again.
      if (wrote && releasesBefore === releases) {
        releases += 1;
        probe = undefined;
        return [...keys.keys()];
      }
      if (key !== probe) {
        return [];
      }
      probe = undefined;
      return [...keys.keys()].slice(0, 1);
    },
  };
}
