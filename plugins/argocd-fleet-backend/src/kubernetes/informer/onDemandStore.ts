import type { LoggerService } from '@backstage/backend-plugin-api';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import {
  KubernetesError,
  resourceId,
  type KubernetesClient,
  type ResourceType,
  type ObjectSelector,
} from '../client';
import {
  createObjectStore,
  type IndexFunction,
  type ObjectChange,
  type ObjectLister,
  type ObjectStore,
} from './objectStore';
import {
  createReflector,
  type ListWatchStart,
  type Reflector,
  type ReflectorTiming,
} from './reflector';

/** Objects of one resource in those namespaces that somebody follows. */
export interface NamespacedStore<T> {
  readonly lister: ObjectLister<T>;
  /** Reads these namespaces from now on, and forgets all others; `''` stands for all namespaces at once. */
  watchNamespaces(namespaces: ReadonlySet<string>): void;
  /** True once the namespace is completely and newly read, or why it is not; undefined while that is open. */
  syncResult(namespace: string): true | KubernetesError | undefined;
  /** The store that an object of the namespace belongs to. */
  storeOf(namespace: string | undefined): ObjectStore<T> | undefined;
  run(signal: AbortSignal): Promise<void>;
}

interface Followed<T> {
  readonly store: ObjectStore<T>;
  readonly reflector: Reflector;
  readonly stop: AbortController;
}

/** Creates a store that follows nothing yet. */
export function createNamespacedStore<T extends KubernetesObject>(options: {
  readonly client: KubernetesClient;
  readonly resource: ResourceType<T>;
  readonly selection: ObjectSelector;
  readonly indexes: Readonly<Record<string, IndexFunction<T>>>;
  readonly slim: (object: T) => T;
  readonly onChange: (change: ObjectChange<T>) => void;
  readonly onStateChange: () => void;
  readonly logger: LoggerService;
  readonly onReading?: (reading: ListWatchStart) => void;
  readonly timing?: ReflectorTiming;
}): NamespacedStore<T> {
  const { client, resource, selection, indexes, slim, logger, timing } =
    options;
  const followed = new Map<string, Followed<T>>();
  let running: AbortSignal | undefined;

  function open(namespace: string): Followed<T> {
    const store = createObjectStore<T, string>({
      indexes,
      slim,
      onChange: options.onChange,
    });
    return {
      store,
      reflector: createReflector({
        client,
        resource,
        selection: { ...selection, ...(namespace && { namespace }) },
        optional: true,
        store,
        logger,
        timing,
        onReading: options.onReading,
        onStateChange: options.onStateChange,
      }),
      stop: new AbortController(),
    };
  }

  function start({ reflector, stop }: Followed<T>): Promise<void> {
    return running
      ? reflector.run(AbortSignal.any([running, stop.signal]))
      : Promise.resolve();
  }

  function* stores(): Generator<ObjectStore<T>> {
    for (const { store } of followed.values()) {
      yield store;
    }
  }

  function storeOf(namespace = '') {
    return (followed.get(namespace) ?? followed.get(''))?.store;
  }

  return {
    lister: {
      get size() {
        return [...stores()].reduce((sum, { size }) => sum + size, 0);
      },
      get: key => storeOf(key.split('/')[0])?.get(key),
      *list() {
        for (const store of stores()) {
          yield* store.list();
        }
      },
      *keys() {
        for (const store of stores()) {
          yield* store.keys();
        }
      },
      by: (index, value) =>
        [...stores()].flatMap(store => store.by(index, value)),
      *keysBy(index, value) {
        for (const store of stores()) {
          yield* store.keysBy(index, value);
        }
      },
      *values(index) {
        for (const store of stores()) {
          yield* store.values(index);
        }
      },
    },
    watchNamespaces(namespaces) {
      let changed = false;
      for (const [namespace, { stop }] of followed) {
        if (!namespaces.has(namespace)) {
          stop.abort();
          followed.delete(namespace);
          changed = true;
        }
      }
      for (const namespace of namespaces) {
        if (!followed.has(namespace)) {
          const opened = open(namespace);
          followed.set(namespace, opened);
          start(opened);
          changed = true;
        }
      }
      if (changed) {
        options.onStateChange();
      }
    },
    syncResult(namespace) {
      const entry = followed.get(namespace) ?? followed.get('');
      if (!entry) {
        return new KubernetesError(
          'unavailable',
          `${resourceId(resource)} of namespace ${namespace} are not read any more`,
        );
      }
      const { failure, synced } = entry.reflector.state;
      return failure ?? (synced || undefined);
    },
    storeOf,
    async run(signal) {
      running = signal;
      await Promise.all([...followed.values()].map(start));
      await new Promise<void>(resolve => {
        signal.addEventListener('abort', () => resolve(), { once: true });
        if (signal.aborted) {
          resolve();
        }
      });
    },
  };
}
