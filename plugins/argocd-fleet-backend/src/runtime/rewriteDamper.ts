/** An object whose content another writer undoes again and again. */
export interface ContestedObject {
  readonly key: string;
  /** Field manager of the other writer, where the object says it. */
  readonly manager?: string;
}

/**
 * Makes the writes of one controller rarer and rarer where another writer undoes them: without it, two controllers that
 * want different things write an object as fast as the hub can answer.
 */
export interface RewriteDamper {
  /**
   * Writes unless the object has to wait, since the same was written to it several times within a short time. What was
   * not written before is never delayed.
   * @param key - namespace and name of the object
   * @param content - what is wanted, as a short text: the same as long as nobody but the other writer changes anything
   * @param write - resolves with the stored object; undefined where nothing was written, as in `observe` mode
   * @param manager - field manager of the other writer, where the object says it
   * @returns the milliseconds to wait, or 0 and what was stored
   */
  write<T>(
    key: string,
    content: string,
    write: () => Promise<T | undefined>,
    manager?: string,
  ): Promise<{ readonly waitMs: number; readonly stored?: T }>;
  /** Whether the object may have to wait now, so that the time decides. */
  isWaiting(key: string): boolean;
  /** The objects that are written rarely for that reason, until the other has been quiet for ten minutes. */
  contested(): ContestedObject[];
}

/** So many rewrites are made at once: a person, or a migration, undoes a write a few times at most. */
const FREE_REWRITES = 3;
const FIRST_WAIT_MS = 1_000;
/** Rare enough that thousands of contested objects are a few writes a second; an end of the fight is seen soon enough. */
const LONGEST_WAIT_MS = 300_000;
/** Milliseconds without a rewrite after which the other counts as gone; longer than any wait. */
const QUIET_MS = 600_000;

interface Written {
  readonly content: string;
  /** In milliseconds of the process's monotonic clock, as all times here. */
  readonly writtenAt: number;
}

interface Fight {
  /** How often the same content was written again. */
  readonly rewrites: number;
  readonly rewrittenAt: number;
  /** The same content is not written before. */
  readonly notBefore: number;
  readonly manager?: string;
}

/** Creates the damper of one controller on one hub. @param random - between 0 and 1; spreads objects that are contested together */
export function createRewriteDamper(random = Math.random): RewriteDamper {
  /** By key, those written last at the end. */
  const written = new Map<string, Written>();
  /** By key; apart, since most objects are written once and each pass asks for all of them. */
  const fights = new Map<string, Fight>();

  /** What was never contested is remembered only for as long as it may matter. */
  function forgetQuiet(now: number) {
    for (const [key, { writtenAt }] of written) {
      if (writtenAt > now - QUIET_MS) {
        return;
      }
      written.delete(key);
      fights.delete(key);
    }
  }

  function waitOf(key: string, content: string): number {
    const fight = fights.get(key);
    return fight && written.get(key)?.content === content
      ? Math.ceil(Math.max(0, fight.notBefore - performance.now()))
      : 0;
  }

  function note(key: string, content: string, manager: string | undefined) {
    const now = performance.now();
    const known = written.get(key);
    const isRewrite =
      known?.content === content && known.writtenAt > now - QUIET_MS;
    written.delete(key);
    written.set(key, { content, writtenAt: now });
    noteFight(key, isRewrite, now, manager);
    forgetQuiet(now);
  }

  function noteFight(
    key: string,
    isRewrite: boolean,
    now: number,
    manager: string | undefined,
  ) {
    const last = fights.get(key);
    const ongoing = last && last.rewrittenAt > now - QUIET_MS;
    if (!isRewrite && !ongoing) {
      fights.delete(key);
      return;
    }
    const rewrites = (ongoing ? last.rewrites : 0) + (isRewrite ? 1 : 0);
    fights.set(key, {
      rewrites,
      rewrittenAt: isRewrite ? now : last!.rewrittenAt,
      notBefore: now + waitAfter(rewrites) * (0.75 + random() / 2),
      manager: manager ?? last?.manager,
    });
  }

  return {
    async write(key, content, write, manager) {
      const waitMs = waitOf(key, content);
      if (waitMs > 0) {
        return { waitMs };
      }
      const stored = await write();
      if (stored !== undefined) {
        note(key, content, manager);
      }
      return { waitMs: 0, stored };
    },
    isWaiting(key) {
      const fight = fights.get(key);
      return fight !== undefined && fight.notBefore > performance.now();
    },
    contested() {
      const since = performance.now() - QUIET_MS;
      return [...fights]
        .filter(
          ([, { rewrites, rewrittenAt }]) =>
            rewrites >= FREE_REWRITES && rewrittenAt > since,
        )
        .map(([key, { manager }]) => ({ key, manager }));
    },
  };
}

/** Milliseconds from one rewrite to the next. */
function waitAfter(rewrites: number): number {
  return rewrites < FREE_REWRITES
    ? 0
    : Math.min(
        LONGEST_WAIT_MS,
        FIRST_WAIT_MS * 2 ** Math.min(rewrites - FREE_REWRITES, 20),
      );
}
