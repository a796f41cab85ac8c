import { setTimeout as sleep } from 'node:timers/promises';
import { raceWithAbort, yieldToEventLoop } from '../../async';

/** Milliseconds of synchronous work after which a group is closed, so that the event loop runs. */
const GROUP_MS = 10;
/** The most records of one group. */
const MAX_RECORDS = 100;
/**
 * SQLite blocks the whole process while it waits for the disk, about as long for one record as for a hundred. So after
 * a group that left no key waiting comes a pause of so many times the group's duration, at most {@link
 * LONGEST_PAUSE_MS}.
 */
const PAUSE_FACTOR = 9;
const LONGEST_PAUSE_MS = 250;
/**
 * While more urgent work needs the process, a pause of up to so many milliseconds follows each group: a key that changes
 * twice meanwhile is recorded once.
 */
const URGENT_PAUSE_MS = 1_500;

/** Writes the records of many keys together. */
export interface GroupCommit {
  /**
   * Resolves once the key's record is stored, or there is none; rejects if making the record or writing the group
   * failed.
   */
  add(key: string): Promise<void>;
  /**
   * Rejects for all keys that wait now, without waiting for the group under way, which may still be stored later. After
   * that, the caller must prevent a late write from overwriting newer records.
   */
  abandon(reason: unknown): void;
}

interface Waiting {
  readonly key: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A first group begins at once, the next a little after it with all keys that were added meanwhile. The record of a key
 * is made only when its group begins.
 */
export function createGroupCommit<T>(options: {
  /** Called before each group. */
  readonly prepare: () => Promise<void>;
  /** The record of a key as it is now; undefined if there is nothing to write. */
  readonly recordOf: (key: string) => T | undefined;
  readonly commit: (records: readonly T[]) => Promise<void>;
  /** Whether more urgent work needs the process. */
  readonly hasUrgentWork?: () => boolean;
}): GroupCommit {
  const { prepare, recordOf, commit, hasUrgentWork = () => false } = options;
  const waiting = new Set<Waiting>();
  let abandoned = new AbortController();
  let working = false;

  function failAll(reason: unknown) {
    waiting.forEach(({ reject }) => reject(reason));
    waiting.clear();
  }

  function takeGroup(): { readonly members: Waiting[]; readonly records: T[] } {
    const members: Waiting[] = [];
    const records: T[] = [];
    const end = performance.now() + GROUP_MS;
    for (const each of waiting) {
      waiting.delete(each);
      try {
        const record = recordOf(each.key);
        if (record === undefined) {
          each.resolve();
        } else {
          members.push(each);
          records.push(record);
        }
      } catch (error) {
        each.reject(error);
      }
      if (records.length === MAX_RECORDS || performance.now() > end) {
        break;
      }
    }
    return { members, records };
  }

  async function write(
    { members, records }: ReturnType<typeof takeGroup>,
    signal: AbortSignal,
  ) {
    const moreWait = waiting.size > 0;
    // Making the records took up to GROUP_MS already.
    await yieldToEventLoop();
    const begun = performance.now();
    try {
      signal.throwIfAborted();
      await raceWithAbort(commit(records), signal);
      members.forEach(({ resolve }) => resolve());
    } catch (error) {
      members.forEach(({ reject }) => reject(error));
    }
    const end = performance.now();
    if (!moreWait) {
      await sleep(Math.min((end - begun) * PAUSE_FACTOR, LONGEST_PAUSE_MS));
    }
    while (hasUrgentWork() && performance.now() - end < URGENT_PAUSE_MS) {
      await sleep(LONGEST_PAUSE_MS);
    }
  }

  async function work() {
    working = true;
    while (waiting.size > 0) {
      const { signal } = abandoned;
      await yieldToEventLoop();
      try {
        signal.throwIfAborted();
        await raceWithAbort(prepare(), signal);
      } catch (error) {
        if (!signal.aborted) {
          failAll(error);
        }
      }
      if (signal.aborted) {
        // `abandon` has failed the keys of the run that ended; those that wait now are of the next one.
        continue;
      }
      const group = takeGroup();
      if (group.records.length > 0) {
        await write(group, signal);
      }
    }
    working = false;
  }

  return {
    add: key =>
      new Promise<void>((resolve, reject) => {
        waiting.add({ key, resolve, reject });
        if (!working) {
          void work();
        }
      }),
    abandon(reason) {
      abandoned.abort(reason);
      abandoned = new AbortController();
      failAll(reason);
    },
  };
}
