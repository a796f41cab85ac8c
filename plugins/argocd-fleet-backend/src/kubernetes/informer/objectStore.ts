import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { createYield } from '../../async';
import { objectKey, withoutContent } from '../client';
import { flatText } from './flatText';
import { createObjectIndex } from './objectIndex';
import { isSameObject, isSameVersion, versionOf } from './objectVersion';
import { createRemovals } from './removals';

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
  /** Keys of the objects of which only the metadata are known. */
  unreadable(): Iterable<string>;
}

/** A full list while its pages arrive; no reader sees any of it before `complete`. */
export interface Listing<T> {
  /** Transforms an object at once: a list of whole objects would be many times the size of the store. */
  add(object: T): void;
  /**
   * Replaces the store, in batches; objects missing from the list are deleted. An answer to a write that was applied
   * since the listing began stays where it is later than the list, and what was deleted since stays deleted.
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
  /** Stores the object of a watch event, unless a later state of this name is known. */
  upsert(object: T): void;
  /** As `upsert`, for the answer to a write, which may arrive after the watch has reported that the object is gone. */
  applyWriteResult(object: T): void;
  /**
   * Removes the object that a watch event reports as gone. An object that was created later under the same name stays:
   * the answer to our own create is stored before the watch reports that its predecessor is gone.
   */
  remove(object: KubernetesObject): void;
  /** As `remove`, for an object that the API server reports as deleted before the watch does, in its last known state. */
  applyDeletion(object: KubernetesObject): void;
}

/** After so many milliseconds of changes the event loop runs: every listener is called for each of them. */
const BATCH_MS = 8;

/** For each index, in the order of their names. */
type IndexValues = readonly (readonly string[])[];

const NOTHING = [undefined, []] as const;

/**
 * Creates an empty store. An object that cannot be transformed or indexed is stored with its metadata alone, as
 * `unreadable`: it exists, and must not keep the others from being stored.
 */
export function createObjectStore<
  T extends KubernetesObject,
  Stored extends KubernetesObject,
  Index extends string,
>(options: {
  readonly indexes: Readonly<Record<Index, IndexFunction<Stored>>>;
  readonly transform: TransformFunction<T, Stored>;
  readonly onChange: (change: ObjectChange<Stored>) => void;
  /**
   * Called for an object that has become unreadable.
   * @param error - what was thrown; undefined where the object came as unreadable
   */
  readonly onUnreadable?: (object: Stored, error?: unknown) => void;
}): ObjectStore<T, Stored, Index> {
  const { indexes, transform, onChange, onUnreadable = () => {} } = options;
  const objects = new Map<string, Stored>();
  const indexNames = Object.keys(indexes) as Index[];
  const objectIndexes = new Map(
    indexNames.map(name => [name, createObjectIndex()]),
  );

  /** Keys. */
  const unreadable = new Set<string>();
  /** Why an object could not be processed. */
  const causes = new WeakMap<Stored, unknown>();

  const removals = createRemovals();
  /**
   * The version that the watch, or the list before it, has reached: an earlier answer to a write brings nothing new.
   * Where the API server was restored, that holds until the list that follows.
   */
  let reached = NaN;
  /** Keys of the answers to writes that were stored since the current listing began. */
  let writtenKeys = new Set<string>();

  function storedOf(object: T): Stored {
    if (object.unreadable) {
      // A transform would take it for an object without content.
      return object as unknown as Stored;
    }
    try {
      return transform(object);
    } catch (error) {
      return withoutReadable(object, error);
    }
  }

  function withoutReadable(object: T | Stored, error: unknown): Stored {
    const rest = withoutContent(
      object,
      'could not be processed',
    ) as unknown as Stored;
    causes.set(rest, error);
    return rest;
  }

  function valuesOf(object: Stored): IndexValues {
    return indexNames.map(name => indexes[name](object));
  }

  function indexed(object: Stored): readonly [Stored, IndexValues] {
    try {
      return [object, valuesOf(object)];
    } catch (error) {
      const rest = withoutReadable(object, error);
      return [rest, valuesOf(rest)];
    }
  }

  function reindex(key: string, old: IndexValues, now: IndexValues) {
    indexNames.forEach((name, i) => {
      const [was, is] = [old[i] ?? [], now[i] ?? []];
      if (!sameElements(was, is)) {
        const index = objectIndexes.get(name)!;
        was.forEach(value => index.remove(value, key));
        is.forEach(value => index.add(flatText(value), key));
      }
    });
  }

  function noteReadability(key: string, after: Stored | undefined) {
    if (!after?.unreadable) {
      unreadable.delete(key);
    } else if (!unreadable.has(key)) {
      unreadable.add(key);
      onUnreadable(after, causes.get(after));
    }
  }

  function set(key: string, object: Stored | undefined) {
    const before = objects.get(key);
    const flatKey = flatText(key);
    const [after, values] = object ? indexed(object) : NOTHING;
    if (after) {
      objects.set(flatKey, after);
    } else {
      objects.delete(key);
    }
    reindex(flatKey, before ? valuesOf(before) : [], values);
    noteReadability(flatKey, after);
    onChange({ key, before, after });
  }

  /** Whether the stored object of this name is the same one at the same version, or a later one. */
  function isKnown(key: string, object: T): boolean {
    const stored = objects.get(key);
    return (
      stored !== undefined &&
      (isSameVersion(stored, object) || versionOf(stored) > versionOf(object))
    );
  }

  function upsert(object: T) {
    const key = objectKey(object.metadata);
    reached = versionOf(object);
    if (!isKnown(key, object) && !removals.isLateEvent(key, object)) {
      removals.forget(key, object);
      set(key, storedOf(object));
    }
  }

  function applyWriteResult(object: T) {
    const key = objectKey(object.metadata);
    if (
      !(versionOf(object) <= reached) &&
      !isKnown(key, object) &&
      !removals.isLateAnswer(key, object)
    ) {
      writtenKeys.add(key);
      set(key, storedOf(object));
    }
  }

  /** Removes the object if it is stored, at whatever version. */
  function removeObject(object: KubernetesObject, deleted: boolean) {
    const key = objectKey(object.metadata);
    const stored = objects.get(key);
    const wasStored = isSameObject(stored, object);
    removals.add(key, wasStored ? stored : object, { deleted, wasStored });
    // What the watch reports as deleted was created after anything older of its name had been deleted.
    const isOlder = stored && versionOf(stored) < versionOf(object);
    if (wasStored || (isOlder && !deleted)) {
      set(key, undefined);
    }
  }

  function startListing(): Listing<T> {
    const listed = new Map<string, Stored>();
    writtenKeys = new Set();
    removals.startListing();
    return {
      add(object) {
        const key = objectKey(object.metadata);
        const stored = objects.get(key);
        listed.set(
          key,
          stored && isSameVersion(stored, object) ? stored : storedOf(object),
        );
      },
      async complete(version) {
        // Also for the answers that arrive between two batches.
        reached = Number(version);
        const yieldSometimes = createYield(BATCH_MS);
        for (const key of new Set([...listed.keys(), ...objects.keys()])) {
          const yielding =
            replaceByListed(key, listed.get(key)) && yieldSometimes();
          if (yielding) {
            await yielding;
          }
        }
        removals.endListing(reached, writtenKeys);
        writtenKeys = new Set();
      },
    };
  }

  /** Stores what a completed list has under the key, unless it is outdated; returns whether that changes anything. */
  function replaceByListed(key: string, listed: Stored | undefined): boolean {
    const stored = objects.get(key);
    const written = writtenKeys.has(key);
    if (written && stored && versionOf(stored) > reached) {
      return false;
    }
    if (listed && !removals.isLateInList(key, listed, written)) {
      removals.forget(key, listed);
      if (isSameVersion(stored, listed)) {
        return false;
      }
      set(key, listed);
      return true;
    }
    if (!stored) {
      return false;
    }
    removals.add(key, stored, { deleted: false, wasStored: true });
    set(key, undefined);
    return true;
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
    unreadable: () => unreadable,
    startListing,
    upsert,
    applyWriteResult,
    remove(object) {
      reached = versionOf(object);
      removeObject(object, false);
    },
    applyDeletion: object => removeObject(object, true),
  };
}

function sameElements(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
