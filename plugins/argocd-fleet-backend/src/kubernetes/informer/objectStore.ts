import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { yieldToEventLoop } from '../../async';
import { objectKey } from '../client';
import { flatText } from './flatText';
import { createObjectIndex } from './objectIndex';

/** A change of one object; `before` is undefined for a new object, `after` for a deleted one. */
export interface ObjectChange<T> {
  readonly key: string;
  readonly before?: T;
  readonly after?: T;
}

/** The values under which an index finds an object. */
export type IndexFunction<T> = (object: T) => readonly string[];

/**
 * What is stored of an object, as client-go's TransformFunc: whatever no reader uses can be left out. The object is not
 * changed.
 */
export type TransformFunction<T, Stored> = (object: T) => Stored;

/** Objects of one resource as last seen on the API server, read-only. */
export interface ObjectLister<T, Index extends string = string> {
  readonly size: number;
  get(key: string): T | undefined;
  list(): Iterable<T>;
  keys(): Iterable<string>;
  /** Objects under the value in the index, in no particular order. */
  by(index: Index, value: string): readonly T[];
  /** Keys of these objects. */
  keysBy(index: Index, value: string): Iterable<string>;
  /** Values of the index that have objects. */
  values(index: Index): Iterable<string>;
}

/** A full list while its pages arrive; no reader sees any of it before `complete`. */
export interface Listing<T> {
  /**
   * Transforms the objects of a page at once, in batches: a list of whole objects would be many times the size of the
   * store.
   */
  addPage(page: readonly T[]): Promise<void>;
  /**
   * Replaces the store, in batches; objects missing from the list are deleted. An answer to a write that was applied
   * since the listing began stays where it is later than the list.
   * @param version - resource version of the list as a whole
   */
  complete(version: string): Promise<void>;
}

/**
 * Objects of one resource, with indexes that follow every change. `T` is what the API server sends, `Stored` what is
 * kept of it.
 */
export interface ObjectStore<
  T,
  Stored = T,
  Index extends string = string,
> extends ObjectLister<Stored, Index> {
  startListing(): Listing<T>;
  /** Stores one object, unless the stored one is known to be newer. */
  upsert(object: T): void;
  /** As `upsert`, for the answer to a write, which may arrive after the watch has reported that the object is gone. */
  applyWriteResult(object: T): void;
  remove(key: string): void;
}

/** So many UIDs of removed objects are remembered: many more than there are concurrent writes. */
const REMEMBERED_UIDS = 1_000;

/** After so many changes of a list the event loop runs: every listener is called for each of them. */
const CHANGES_PER_BATCH = 500;

/** After so many transforms the event loop runs: some take a tenth of a millisecond. */
const TRANSFORMS_PER_BATCH = 100;

/** Creates an empty store. */
export function createObjectStore<
  T extends KubernetesObject,
  Stored extends KubernetesObject,
  Index extends string,
>(options: {
  readonly indexes: Readonly<Record<Index, IndexFunction<Stored>>>;
  readonly transform: TransformFunction<T, Stored>;
  readonly onChange: (change: ObjectChange<Stored>) => void;
}): ObjectStore<T, Stored, Index> {
  const { indexes, transform, onChange } = options;
  const objects = new Map<string, Stored>();
  const indexNames = Object.keys(indexes) as Index[];
  const objectIndexes = new Map(
    indexNames.map(name => [name, createObjectIndex()]),
  );

  const removedUids = new Set<string>();
  /** Keys of the answers to writes that were applied since the current listing began. */
  let writtenKeys: Set<string> | undefined;

  function rememberRemoved(uid: string | undefined) {
    if (uid) {
      removedUids.add(uid);
      if (removedUids.size > REMEMBERED_UIDS) {
        const [oldest] = removedUids;
        removedUids.delete(oldest);
      }
    }
  }

  function reindex(
    key: string,
    before: Stored | undefined,
    after: Stored | undefined,
  ) {
    for (const name of indexNames) {
      const index = objectIndexes.get(name)!;
      const old = before ? indexes[name](before) : [];
      const now = after ? indexes[name](after) : [];
      if (!sameElements(old, now)) {
        old.forEach(value => index.remove(value, key));
        now.forEach(value => index.add(flatText(value), key));
      }
    }
  }

  function set(key: string, after: Stored | undefined) {
    const before = objects.get(key);
    const flatKey = flatText(key);
    if (after) {
      objects.set(flatKey, after);
    } else if (!objects.delete(key)) {
      return;
    } else {
      rememberRemoved(before?.metadata.uid);
    }
    reindex(flatKey, before, after);
    onChange({ key, before, after });
  }

  function upsert(object: T) {
    const key = objectKey(object.metadata);
    const stored = objects.get(key);
    if (!isSameVersion(stored, object) && !isNewer(stored, object)) {
      set(key, transform(object));
    }
  }

  function startListing(): Listing<T> {
    const listed = new Map<string, Stored>();
    writtenKeys = new Set();
    const isLaterThan = (version: string, key: string) =>
      writtenKeys?.has(key) &&
      Number(objects.get(key)?.metadata.resourceVersion) > Number(version);
    return {
      async addPage(page) {
        for (const [index, object] of page.entries()) {
          if (index % TRANSFORMS_PER_BATCH === 0) {
            // Before the first object too: the page has just been parsed.
            await yieldToEventLoop();
          }
          const key = objectKey(object.metadata);
          const stored = objects.get(key);
          listed.set(
            key,
            stored && isSameVersion(stored, object)
              ? stored
              : transform(object),
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
            if (changes % CHANGES_PER_BATCH === 0) {
              await yieldToEventLoop();
            }
          }
        }
        writtenKeys = undefined;
      },
    };
  }

  return {
    get size() {
      return objects.size;
    },
    get: key => objects.get(key),
    list: () => objects.values(),
    keys: () => objects.keys(),
    by(name, value) {
      const keys = objectIndexes.get(name)?.keys(value);
      if (keys === undefined) {
        return [];
      }
      if (typeof keys === 'string') {
        return [objects.get(keys)!];
      }
      return Array.from(keys, key => objects.get(key)!);
    },
    keysBy(name, value) {
      const keys = objectIndexes.get(name)?.keys(value) ?? [];
      return typeof keys === 'string' ? [keys] : keys;
    },
    values: name => objectIndexes.get(name)?.values() ?? [],
    startListing,
    upsert,
    applyWriteResult(object) {
      if (!removedUids.has(object.metadata.uid ?? '')) {
        writtenKeys?.add(objectKey(object.metadata));
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
  stored: KubernetesObject | undefined,
  object: KubernetesObject,
): boolean {
  return (
    stored !== undefined &&
    stored.metadata.uid === object.metadata.uid &&
    stored.metadata.resourceVersion === object.metadata.resourceVersion
  );
}

/**
 * Whether the stored object is the later one: the answers to our own writes are stored before the watch reports earlier
 * changes. Resource versions of one object can be compared as numbers.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions
 */
function isNewer(
  stored: KubernetesObject | undefined,
  object: KubernetesObject,
): boolean {
  if (!stored || stored.metadata.uid !== object.metadata.uid) {
    return false;
  }
  const a = Number(stored.metadata.resourceVersion);
  const b = Number(object.metadata.resourceVersion);
  return Number.isFinite(a) && Number.isFinite(b) && a > b;
}
