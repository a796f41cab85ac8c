import {
  setImmediate as yieldToOthers,
  setTimeout as pause,
} from 'node:timers/promises';
import { raceWithAbort } from '../../async';

/** Milliseconds of work after which a group is as large as it gets: the process has other things to do. */
const TURN_MS = 10;
/** The most records of one group. */
const MOST = 100;
/**
 * SQLite holds up the whole process while it waits for the disk, about as long for one record as for a hundred. So after a group that
 * left nobody behind come so many times the time that it took, at most {@link LONGEST_PAUSE_MS}.
 */
const PAUSE_FACTOR = 9;
const LONGEST_PAUSE_MS = 100;

/** Has the records of many keys written together. */
export interface GroupCommit {
  /** Resolves once what there is to record of the key is stored; rejects where it could not be made, or the group not be written. */
  add(key: string): Promise<void>;
  /**
   * Fails for all that wait now, and waits no longer for what is being prepared or written; that may be stored or not, also later. Whoever
   * adds more after that has to see to it that it is not stored too late.
   */
  abandon(reason: unknown): void;
}

interface Waiting {
  readonly key: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * After a quiet time a group begins at once, else a little after the one before; it is as large as what has come meanwhile. What is
 * recorded is looked up only when its group begins.
 */
export function createGroupCommit<T>(options: {
  /** Before each group. */
  readonly prepare: () => Promise<void>;
  /** What there is to record of a key now; undefined for nothing. */
  readonly recordOf: (key: string) => T | undefined;
  readonly commit: (records: readonly T[]) => Promise<void>;
}): GroupCommit {
  const { prepare, recordOf, commit } = options;
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
    const end = performance.now() + TURN_MS;
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
      if (records.length === MOST || performance.now() > end) {
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
    // To look up what is recorded took a turn of its own.
    await yieldToOthers();
    const begun = performance.now();
    try {
      signal.throwIfAborted();
      await raceWithAbort(commit(records), signal);
      members.forEach(({ resolve }) => resolve());
    } catch (error) {
      members.forEach(({ reject }) => reject(error));
    }
    if (!moreWait) {
      const tookMs = performance.now() - begun;
      await pause(Math.min(tookMs * PAUSE_FACTOR, LONGEST_PAUSE_MS));
    }
  }

  async function work() {
    working = true;
    while (waiting.size > 0) {
      const { signal } = abandoned;
      await yieldToOthers();
      try {
        signal.throwIfAborted();
        await raceWithAbort(prepare(), signal);
      } catch (error) {
        failAll(error);
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
