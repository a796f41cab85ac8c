/** One refused key is tried this often, so that rights that come back are noticed soon; milliseconds. */
const PROBE_EVERY_MS = 15_000;

/**
 * Keys that wait because the hub does not allow a write. Ten thousand of them, each tried every few seconds, would be a storm; so one is
 * tried often, and when its write is allowed, the others are tried too.
 */
export interface RefusedKeys {
  /** Answers with the milliseconds until the key is tried again, at most `afterMs`. */
  refused(key: string, afterMs: number): number;
  /**
   * The key is refused no longer.
   * @param allowed - because it wrote, and not because there was nothing left to write
   * @returns other keys that are to be tried now
   */
  passed(key: string, allowed: boolean): string[];
}

/** Creates the memory of one controller on one hub. */
export function createRefusedKeys(): RefusedKeys {
  /** With the number of releases before the key was refused last. */
  const keys = new Map<string, number>();
  let releases = 0;
  let probe: string | undefined;
  return {
    refused(key, afterMs) {
      keys.set(key, releases);
      probe ??= key;
      return key === probe ? Math.min(afterMs, PROBE_EVERY_MS) : afterMs;
    },
    passed(key, allowed) {
      const refusedAfter = keys.get(key);
      keys.delete(key);
      // One that was itself released tells nothing new: with rights for one namespace of many, each would release all others again.
      if (allowed && refusedAfter === releases) {
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
