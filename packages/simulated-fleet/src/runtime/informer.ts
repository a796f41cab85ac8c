import { FleetLogger } from '../logger';
import { isGone, isNotFound } from '../kubernetes/apiError';
import { HubClient, Selection, WATCH_SECONDS } from '../kubernetes/client';
import { KubeObject, objectKey } from '../kubernetes/objects';
import { Resource, resourceName } from '../kubernetes/resources';
import { backoffMs, pause } from './backoff';
import { inTurns } from './turns';

/** A change of one object: `now` is undefined after a deletion, `before` for a new object. */
export type ChangeListener<T> = (
  now: T | undefined,
  before: T | undefined,
) => void;

/** The objects of one resource on the hub, kept current by one list and watch. */
export interface Informer<T extends KubeObject> {
  /** Resolves after the first complete list. */
  readonly synced: Promise<void>;
  /** The object of that {@link objectKey}. */
  get(key: string): T | undefined;
  list(): T[];
  /** Adds an index over the keys of `keysOf` and returns its lookup; call before {@link start}. */
  index(keysOf: (object: T) => string[]): (key: string) => T[];
  /** Calls the listener after each change; call before {@link start}, so that no change is missed. */
  onChange(listener: ChangeListener<T>): void;
  /** Stores the response to the fleet's own write, so that readers do not wait for the watch event. */
  applyWriteResult(object: T): void;
  /** Starts to list and watch. */
  start(): void;
}

/** Creates an informer that lists and watches a resource until the signal aborts, despite errors and 410s. */
export function createInformer<T extends KubeObject>(options: {
  client: HubClient;
  resource: Resource<T>;
  selection?: Selection;
  logger: FleetLogger;
  signal: AbortSignal;
  /** Called with the resource versions around every list after the first one. */
  onRelist?: (versions: { before: string; now: string }) => void;
}): Informer<T> {
  const { client, resource, selection = {}, logger, signal } = options;
  const objects = new Map<string, T>();
  const listeners: ChangeListener<T>[] = [];
  let markSynced: () => void = () => undefined;
  let lastVersion: string | undefined;
  const synced = new Promise<void>(resolve => {
    markSynced = resolve;
  });

  function set(key: string, now: T | undefined) {
    const before = objects.get(key);
    if (
      now?.metadata.resourceVersion !== undefined &&
      now.metadata.resourceVersion === before?.metadata.resourceVersion
    ) {
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
        logger.error(`A listener for ${resource.plural} failed: ${error}`);
      }
    }
  }

  function* replaceAll(items: readonly T[]): Generator<undefined, void> {
    const present = new Set<string>();
    for (const item of items) {
      const key = objectKey(item);
      present.add(key);
      set(key, item);
      yield;
    }
    for (const key of [...objects.keys()].filter(each => !present.has(each))) {
      set(key, undefined);
      yield;
    }
  }

  /** Whether an event is older than the stored object, which may come from the fleet's own write. */
  function isOlder(object: T): boolean {
    const known = objects.get(objectKey(object))?.metadata.resourceVersion;
    const version = object.metadata.resourceVersion;
    return (
      known !== undefined &&
      version !== undefined &&
      /^\d+$/.test(known) &&
      /^\d+$/.test(version) &&
      BigInt(version) < BigInt(known)
    );
  }

  async function listAndWatch() {
    const { items, resourceVersion } = await client.list(
      resource,
      selection,
      signal,
    );
    await inTurns(replaceAll(items));
    markSynced();
    if (lastVersion !== undefined) {
      options.onRelist?.({ before: lastVersion, now: resourceVersion });
    }

    let version = resourceVersion;
    lastVersion = version;
    while (!signal.aborted) {
      const opened = Date.now();
      for await (const event of client.watch(
        resource,
        { ...selection, resourceVersion: version },
        signal,
      )) {
        version = event.object.metadata.resourceVersion ?? version;
        lastVersion = version;
        if (event.type !== 'BOOKMARK') {
          const deleted = event.type === 'DELETED';
          if (deleted || !isOlder(event.object)) {
            set(objectKey(event.object), deleted ? undefined : event.object);
          }
        }
      }
      // A watch that ends on time can continue at its version. After an early end
      // the hub may have been restored: it would wait for ever for a future version.
      if (Date.now() - opened < WATCH_SECONDS * 900) {
        throw new Error('the watch was cut');
      }
    }
  }

  async function run() {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      const started = Date.now();
      try {
        await listAndWatch();
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        if (isGone(error)) {
          attempt = 0;
          continue;
        }
        if (Date.now() - started > 60_000) {
          attempt = 1;
        }
        const delay = backoffMs(attempt);
        logger.warn(
          isNotFound(error)
            ? `The hub does not serve ${resourceName(resource)}: install its CustomResourceDefinition. Retry in ${delay} ms.`
            : `Watching ${resourceName(resource)} failed, retry in ${delay} ms: ${error}`,
        );
        await pause(delay, signal);
      }
    }
  }

  return {
    synced,
    get: key => objects.get(key),
    list: () => [...objects.values()],
    index(keysOf) {
      const found = new Map<string, Map<string, T>>();
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
    start: () => {
      run().catch(error =>
        logger.error(`Watching ${resourceName(resource)} ended: ${error}`),
      );
    },
  };
}
