import { FleetLogger } from '../logger';
import { isGone, isNotFound } from '../kubernetes/apiError';
import { HubClient, Selection, WATCH_SECONDS } from '../kubernetes/client';
import { KubeObject, objectKey } from '../kubernetes/objects';
import { Resource, resourceName } from '../kubernetes/resources';
import { backoffMs, pause } from './backoff';
import { inTurns } from './turns';

/** What happened to one object; `now` is undefined when it is gone, `before` when it is new. */
export type ChangeListener<T> = (
  now: T | undefined,
  before: T | undefined,
) => void;

/** The objects of one resource as the hub has them, kept current by one watch. */
export interface WatchedCollection<T extends KubeObject> {
  /** Resolves with the first complete list. */
  readonly ready: Promise<void>;
  get(key: string): T | undefined;
  list(): T[];
  /** Objects by a key of the caller's choosing; call before {@link start}. */
  index(keysOf: (object: T) => string[]): (key: string) => T[];
  /** Call before {@link start}, so that no change is missed. */
  onChange(listener: ChangeListener<T>): void;
  /** Takes the answer to one's own write, so that the next look need not wait for the watch. */
  saw(object: T): void;
  start(): void;
}

/** Lists and watches a resource until the signal aborts, through errors and 410s alike. */
export function createWatchedCollection<T extends KubeObject>(options: {
  client: HubClient;
  resource: Resource<T>;
  selection?: Selection;
  logger: FleetLogger;
  signal: AbortSignal;
  /** Told whenever the watch could not go on where it was and everything was listed again. */
  onListedAgain?: (versions: { before: string; now: string }) => void;
}): WatchedCollection<T> {
  const { client, resource, selection = {}, logger, signal } = options;
  const objects = new Map<string, T>();
  const listeners: ChangeListener<T>[] = [];
  let markReady: () => void = () => undefined;
  let lastVersion: string | undefined;
  const ready = new Promise<void>(resolve => {
    markReady = resolve;
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
        logger.error(`A listener to ${resource.plural} failed: ${error}`);
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

  /** Events from before one's own last write say nothing new. */
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

  async function followOnce() {
    const { items, resourceVersion } = await client.list(
      resource,
      selection,
      signal,
    );
    await inTurns(replaceAll(items));
    markReady();
    if (lastVersion !== undefined) {
      options.onListedAgain?.({ before: lastVersion, now: resourceVersion });
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
      // A watch that ends in its own time can go on where it was. One that was
      // cut may meet a hub that was restored, and would wait there for ever for
      // a version that is yet to come.
      if (Date.now() - opened < WATCH_SECONDS * 900) {
        throw new Error('the watch was cut');
      }
    }
  }

  async function follow() {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      const started = Date.now();
      try {
        await followOnce();
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
            ? `The hub does not serve ${resourceName(resource)}: install its CustomResourceDefinition. Looking again in ${delay} ms.`
            : `Watching ${resourceName(resource)} failed, again in ${delay} ms: ${error}`,
        );
        await pause(delay, signal);
      }
    }
  }

  return {
    ready,
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
    saw(object) {
      // What is going away, or was not known, is the watch's to tell.
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
      follow().catch(error =>
        logger.error(`Watching ${resourceName(resource)} ended: ${error}`),
      );
    },
  };
}
