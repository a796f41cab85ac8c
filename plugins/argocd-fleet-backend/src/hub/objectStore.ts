import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { objectKey } from './hubClient';

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
  /** Values under which the index finds anything. */
  values(index: Index): Iterable<string>;
}

/** Objects of one resource, with indexes that are kept as objects come and go. */
export interface ObjectStore<
  T,
  Index extends string = string,
> extends ObjectLister<T, Index> {
  /** Takes the result of a full list: what is not in it is gone. */
  replace(objects: readonly T[]): void;
  /** Takes one object, unless what is held is known to be newer. */
  upsert(object: T): void;
  /** As `upsert`, for the answer to a write, which may come after the watch has told that the object is gone. */
  absorb(object: T): void;
  remove(key: string): void;
}

/** UIDs of so many removed objects are remembered: many more than there are writes under way at once. */
const REMEMBERED = 1_000;

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
  const found = new Map<Index, Map<string, Set<string>>>(
    names.map(name => [name, new Map()]),
  );

  const removed = new Set<string>();

  function remember(uid: string | undefined) {
    if (uid) {
      removed.add(uid);
      if (removed.size > REMEMBERED) {
        const [oldest] = removed;
        removed.delete(oldest);
      }
    }
  }

  function keysUnder(index: Index, value: string) {
    return found.get(index)?.get(value);
  }

  function reindex(key: string, before: T | undefined, after: T | undefined) {
    for (const name of names) {
      const entries = found.get(name)!;
      for (const value of before ? indexes[name](before) : []) {
        const keys = entries.get(value);
        keys?.delete(key);
        if (keys?.size === 0) {
          entries.delete(value);
        }
      }
      for (const value of after ? indexes[name](after) : []) {
        const keys = entries.get(value);
        if (keys) {
          keys.add(key);
        } else {
          entries.set(value, new Set([key]));
        }
      }
    }
  }

  function set(key: string, after: T | undefined) {
    const before = objects.get(key);
    if (after) {
      objects.set(key, after);
    } else if (!objects.delete(key)) {
      return;
    } else {
      remember(before?.metadata.uid);
    }
    reindex(key, before, after);
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
      const result: T[] = [];
      for (const key of keysUnder(index, value) ?? []) {
        const object = objects.get(key);
        if (object) {
          result.push(object);
        }
      }
      return result;
    },
    values: index => found.get(index)?.keys() ?? [],
    replace(listed) {
      const gone = new Set(objects.keys());
      for (const object of listed) {
        const key = objectKey(object.metadata);
        gone.delete(key);
        if (!isSameVersion(objects.get(key), object)) {
          set(key, slim(object));
        }
      }
      for (const key of gone) {
        set(key, undefined);
      }
    },
    upsert,
    absorb(object) {
      if (!removed.has(object.metadata.uid ?? '')) {
        upsert(object);
      }
    },
    remove: key => set(key, undefined),
  };
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
