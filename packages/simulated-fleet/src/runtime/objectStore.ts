import { WatchEvent } from '../kubernetes/client';
import { isOlderVersion, KubeObject, objectKey } from '../kubernetes/objects';

/** A change of one object: `now` is undefined after a deletion, `before` for a new object. */
export type ChangeListener<T> = (
  now: T | undefined,
  before: T | undefined,
) => void;

/** Reads the objects of one resource by key and by index. */
export interface ObjectReader<T extends KubeObject> {
  /** The object of that {@link objectKey}. */
  get(key: string): T | undefined;
  list(): T[];
  /** Adds an index over the keys of `keysOf` and returns its lookup; call before the first list. */
  index(keysOf: (object: T) => string[]): (key: string) => T[];
  /** Calls the listener after each change; call before the first list, so that no change is missed. */
  onChange(listener: ChangeListener<T>): void;
  /** Stores the response to the fleet's own write, so that readers do not wait for the watch event. */
  applyWriteResult(object: T): void;
}

/** The objects of one resource, as an informer last read them. */
export interface ObjectStore<T extends KubeObject> extends ObjectReader<T> {
  /** Replaces the store, one object each step; objects missing from `items` are deleted. */
  replaceAll(items: readonly T[]): Generator<undefined, void>;
  applyEvent(event: WatchEvent<T>): void;
}

/** Creates an empty store; `onListenerError` gets the errors of listeners. */
export function createObjectStore<T extends KubeObject>(
  onListenerError: (error: unknown) => void,
): ObjectStore<T> {
  const objects = new Map<string, T>();
  const listeners: ChangeListener<T>[] = [];

  function set(key: string, now: T | undefined) {
    const before = objects.get(key);
    const version = now?.metadata.resourceVersion;
    if (version !== undefined && version === before?.metadata.resourceVersion) {
      return;
    }
    if (now) {
      objects.set(key, now);
    } else if (!objects.delete(key)) {
      return;
    }
    for (const listener of listeners) {
      try {
        listener(now, before);
      } catch (error) {
        onListenerError(error);
      }
    }
  }

  /** Whether an object is older than the stored one, which may come from the fleet's own write. */
  function isOlder(object: T): boolean {
    return isOlderVersion(
      object.metadata.resourceVersion,
      objects.get(objectKey(object))?.metadata.resourceVersion,
    );
  }

  return {
    get: key => objects.get(key),
    list: () => [...objects.values()],
    index(keysOf) {
      const found = new Map<string, Map<string, T>>();
      // Indexes are updated before the other listeners run.
      listeners.unshift((now, before) => {
        if (before) {
          keysOf(before).forEach(key =>
            found.get(key)?.delete(objectKey(before)),
          );
        }
        if (now) {
          for (const key of keysOf(now)) {
            const entries = found.get(key) ?? new Map<string, T>();
            found.set(key, entries.set(objectKey(now), now));
          }
        }
      });
      return key => [...(found.get(key)?.values() ?? [])];
    },
    onChange: listener => {
      listeners.push(listener);
    },
    applyWriteResult(object) {
      // Creations and deletions are left to the watch.
      const known = objects.get(objectKey(object));
      if (
        known?.metadata.uid === object.metadata.uid &&
        !object.metadata.deletionTimestamp &&
        !isOlder(object)
      ) {
        set(objectKey(object), object);
      }
    },
    *replaceAll(items) {
      const present = new Set<string>();
      for (const item of items) {
        const key = objectKey(item);
        present.add(key);
        set(key, item);
        yield;
      }
      for (const key of [...objects.keys()].filter(
        each => !present.has(each),
      )) {
        set(key, undefined);
        yield;
      }
    },
    applyEvent({ type, object }) {
      if (type === 'DELETED') {
        set(objectKey(object), undefined);
      } else if (type !== 'BOOKMARK' && !isOlder(object)) {
        set(objectKey(object), object);
      }
    },
  };
}
