import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { objectKey } from '../client';
import { flatText } from './flatText';
import { createObjectIndex } from './objectIndex';

/** What happened to one object; `before` is undefined for a new one, `after` for one that is gone. */
export interface ObjectChange<T> {
  readonly key: string;
  readonly before?: T;
  readonly after?: T;
}

/** Says under which values an index finds an object. */
export type IndexFunction<T> = (object: T) => readonly string[];

/** Objects of one resource as last seen on a hub, read-only. */
export interface ObjectLister<T, Index extends string = string> {
  readonly size: number;
  get(key: string): T | undefined;
  list(): Iterable<T>;
  keys(): Iterable<string>;
  /** Objects that the index finds under the value, in no particular order. */
  by(index: Index, value: string): readonly T[];
  /** Keys of these objects. */
  keysBy(index: Index, value: string): Iterable<string>;
  /** Values under which the index finds anything. */
  values(index: Index): Iterable<string>;
}

/** A full list on its way; nothing of it is seen before all of it has come. */
export interface Listing<T> {
  /** Takes a page of it, in turns, slimmed at once: a list of whole objects would be many times what is kept of it. */
  take(page: readonly T[]): Promise<void>;
  /**
   * Makes the list what is held, in turns: what is not in it is gone. What was absorbed since the listing began stays where it is later than
   * the list.
   * @param version - of the list as a whole
   */
  complete(version: string): Promise<void>;
}

/** Objects of one resource, with indexes that are kept as objects come and go. */
export interface ObjectStore<
  T,
  Index extends string = string,
> extends ObjectLister<T, Index> {
  startListing(): Listing<T>;
  /** Takes one object, unless what is held is known to be newer. */
  upsert(object: T): void;
  /** As `upsert`, for the answer to a write, which may come after the watch has told that the object is gone. */
  applyWriteResult(object: T): void;
  remove(key: string): void;
}

/** UIDs of so many removed objects are remembered: many more than there are writes under way at once. */
const REMEMBERED = 1_000;

/** Objects of a list that are taken up at one go: others are told of each, and the process has more to do. */
const CHANGES_PER_TURN = 500;

/** Objects that are slimmed at one go: some take a tenth of a millisecond. */
const SLIMMED_PER_TURN = 100;

/** Creates an empty store. */
export function createObjectStore<
  T extends KubernetesObject,
  Index extends string,
>(options: {
  readonly indexes: Readonly<Record<Index, IndexFunction<T>>>;
  /** Leaves out what no reader uses. */
  readonly slim: (object: T) => T;
  readonly onChange: (change: ObjectChange<T>) => void;
}): ObjectStore<T, Index> {
  const { indexes, slim, onChange } = options;
  const objects = new Map<string, T>();
  const names = Object.keys(indexes) as Index[];
  const found = new Map(names.map(name => [name, createObjectIndex()]));

  const removed = new Set<string>();
  /** Keys of what was absorbed since a listing began that is under way. */
  let absorbed: Set<string> | undefined;

  function remember(uid: string | undefined) {
    if (uid) {
      removed.add(uid);
      if (removed.size > REMEMBERED) {
        const [oldest] = removed;
        removed.delete(oldest);
      }
    }
  }

  function reindex(key: string, before: T | undefined, after: T | undefined) {
    for (const name of names) {
      const index = found.get(name)!;
      const old = before ? indexes[name](before) : [];
      const now = after ? indexes[name](after) : [];
      if (!sameElements(old, now)) {
        old.forEach(value => index.remove(value, key));
        now.forEach(value => index.add(flatText(value), key));
      }
    }
  }

  function set(key: string, after: T | undefined) {
    const before = objects.get(key);
    const kept = flatText(key);
    if (after) {
      objects.set(kept, after);
    } else if (!objects.delete(key)) {
      return;
    } else {
      remember(before?.metadata.uid);
    }
    reindex(kept, before, after);
    onChange({ key, before, after });
  }

  function upsert(object: T) {
    const key = objectKey(object.metadata);
    const held = objects.get(key);
    if (!isSameVersion(held, object) && !isNewer(held, object)) {
      set(key, slim(object));
    }
  }

  return {
    get size() {
      return objects.size;
    },
    get: key => objects.get(key),
    list: () => objects.values(),
    keys: () => objects.keys(),
    by(index, value) {
      const keys = found.get(index)?.keys(value);
      if (keys === undefined) {
        return [];
      }
      if (typeof keys === 'string') {
        return [objects.get(keys)!];
      }
      return Array.from(keys, key => objects.get(key)!);
    },
    keysBy(index, value) {
      const keys = found.get(index)?.keys(value) ?? [];
      return typeof keys === 'string' ? [keys] : keys;
    },
    values: index => found.get(index)?.values() ?? [],
    startListing() {
      const listed = new Map<string, T>();
      absorbed = new Set();
      const isLaterThan = (version: string, key: string) =>
        absorbed?.has(key) &&
        Number(objects.get(key)?.metadata.resourceVersion) > Number(version);
      return {
        async take(page) {
          for (const [index, object] of page.entries()) {
            if (index % SLIMMED_PER_TURN === 0) {
              // Of the first too: the page was parsed in this turn.
              await yieldToOthers();
            }
            const key = objectKey(object.metadata);
            const held = objects.get(key);
            listed.set(
              key,
              held && isSameVersion(held, object) ? held : slim(object),
            );
          }
        },
        async complete(version) {
          let changes = 0;
          for (const key of new Set([...listed.keys(), ...objects.keys()])) {
            const object = listed.get(key);
            if (
              !isLaterThan(version, key) &&
              !(object && isSameVersion(objects.get(key), object))
            ) {
              set(key, object);
              changes += 1;
              if (changes % CHANGES_PER_TURN === 0) {
                await yieldToOthers();
              }
            }
          }
          absorbed = undefined;
        },
      };
    },
    upsert,
    applyWriteResult(object) {
      if (!removed.has(object.metadata.uid ?? '')) {
        absorbed?.add(objectKey(object.metadata));
        upsert(object);
      }
    },
    remove: key => set(key, undefined),
  };
}

function sameElements(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

function isSameVersion(
  held: KubernetesObject | undefined,
  object: KubernetesObject,
): boolean {
  return (
    held !== undefined &&
    held.metadata.uid === object.metadata.uid &&
    held.metadata.resourceVersion === object.metadata.resourceVersion
  );
}

/**
 * True where the held object is the later one: our own writes are stored as they are answered, before the watch tells of earlier ones.
 * Resource versions of one object can be compared as numbers.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions
 */
function isNewer(
  held: KubernetesObject | undefined,
  object: KubernetesObject,
): boolean {
  if (!held || held.metadata.uid !== object.metadata.uid) {
    return false;
  }
  const a = Number(held.metadata.resourceVersion);
  const b = Number(object.metadata.resourceVersion);
  return Number.isFinite(a) && Number.isFinite(b) && a > b;
}
