import { FleetLogger } from './logger';
import { isGone, isNotFound } from '../kubernetes/apiError';
import { HubClient, ListOptions, WATCH_SECONDS } from '../kubernetes/client';
import { KubeObject } from '../kubernetes/objects';
import { Resource, resourceName } from '../kubernetes/resources';
import { backoffMs, pause } from './backoff';
import { createObjectStore, ObjectReader } from './objectStore';
import { inTurns } from './turns';

/** The objects of one resource on the hub, kept current by one list and watch. */
export interface Informer<T extends KubeObject> extends ObjectReader<T> {
  /** Resolves after the first complete list. */
  readonly synced: Promise<void>;
  /** Starts to list and watch. */
  start(): void;
}

/** Creates an informer that lists and watches a resource until the signal aborts, despite errors and 410s. */
export function createInformer<T extends KubeObject>(options: {
  client: HubClient;
  resource: Resource<T>;
  listOptions?: ListOptions;
  logger: FleetLogger;
  signal: AbortSignal;
  /** Called with the resource versions around every list after the first one. */
  onRelist?: (versions: { before: string; now: string }) => void;
}): Informer<T> {
  const { client, resource, listOptions = {}, logger, signal } = options;
  const store = createObjectStore<T>(error =>
    logger.error(`A listener for ${resource.plural} failed: ${error}`),
  );
  let markSynced: () => void = () => undefined;
  let lastVersion: string | undefined;
  const synced = new Promise<void>(resolve => {
    markSynced = resolve;
  });

  async function listAndWatch() {
    const { items, resourceVersion } = await client.list(
      resource,
      listOptions,
      signal,
    );
    await inTurns(store.replaceAll(items));
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
        { ...listOptions, resourceVersion: version },
        signal,
      )) {
        version = event.object.metadata.resourceVersion ?? version;
        lastVersion = version;
        store.applyEvent(event);
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
    ...store,
    synced,
    start: () => {
      run().catch(error =>
        logger.error(`Watching ${resourceName(resource)} ended: ${error}`),
      );
    },
  };
}
