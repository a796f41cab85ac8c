import { randomUUID } from 'node:crypto';

/** The changes since a token, or everything. */
export interface Changes<T> {
  /** Whether `items` are all items, so that any other does not exist. */
  readonly full: boolean;
  readonly items: readonly T[];
  /** Keys of the items that were removed; empty where `full`. */
  readonly removed: readonly string[];
  /** What to ask with next. */
  readonly token: string;
}

/**
 * Items by key, each with the number of its last change, so that a reader gets what changed since its last request. The
 * numbers belong to one instance in one process: another replica, or the same one after a restart, counts differently.
 */
export interface ChangeLog<T> {
  get(key: string): T | undefined;
  /** Stores an item under a new number. The caller compares: an item that is set counts as changed. */
  set(key: string, item: T): void;
  delete(key: string): void;
  /** Everything, unless the token is one of this instance and all changes since it are still known. */
  since(token: string | undefined): Changes<T>;
}

interface Entry<T> {
  /** Undefined once removed. */
  readonly item?: T;
  readonly number: number;
}

/** So many changes are remembered, each as its key; a reader that missed more gets everything. */
const REMEMBERED_CHANGES = 20_000;

/** An instance is a UUID. Fifteen digits are exact as a number. */
const TOKEN = /^([0-9a-f-]{36})\.(\d{1,15})$/;

/** Creates an empty log. */
export function createChangeLog<T>(
  rememberedChanges = REMEMBERED_CHANGES,
): ChangeLog<T> {
  const instance = randomUUID();
  const entries = new Map<string, Entry<T>>();
  /** The keys of the last changes: the first one has the number `forgotten + 1`. */
  let changedKeys: string[] = [];
  let forgotten = 0;

  function record(key: string, item: T | undefined) {
    changedKeys.push(key);
    entries.set(key, { item, number: forgotten + changedKeys.length });
    // Twice as many are kept at most, so that few changes pay for it.
    if (changedKeys.length >= 2 * rememberedChanges) {
      forget(changedKeys.length - rememberedChanges);
    }
  }

  function forget(count: number) {
    for (let index = 0; index < count; index += 1) {
      const key = changedKeys[index];
      const entry = entries.get(key);
      if (
        entry?.item === undefined &&
        entry?.number === forgotten + index + 1
      ) {
        entries.delete(key);
      }
    }
    changedKeys = changedKeys.slice(count);
    forgotten += count;
  }

  /** Number of the last change that the reader knows; undefined where it has to get everything. */
  function numberOf(token: string | undefined): number | undefined {
    const [, from, digits] = TOKEN.exec(token ?? '') ?? [];
    const number = Number(digits);
    return from === instance &&
      number >= forgotten &&
      number <= forgotten + changedKeys.length
      ? number
      : undefined;
  }

  return {
    get: key => entries.get(key)?.item,
    set: record,
    delete(key) {
      if (entries.get(key)?.item !== undefined) {
        record(key, undefined);
      }
    },
    since(token) {
      const known = numberOf(token);
      const items: T[] = [];
      const removed: string[] = [];
      if (known === undefined) {
        for (const { item } of entries.values()) {
          if (item !== undefined) {
            items.push(item);
          }
        }
      } else {
        for (
          let index = known - forgotten;
          index < changedKeys.length;
          index += 1
        ) {
          const key = changedKeys[index];
          const { item, number } = entries.get(key)!;
          if (number !== forgotten + index + 1) {
            // It changed again later.
            continue;
          }
          if (item === undefined) {
            removed.push(key);
          } else {
            items.push(item);
          }
        }
      }
      return {
        full: known === undefined,
        items,
        removed,
        token: `${instance}.${forgotten + changedKeys.length}`,
      };
    },
  };
}
