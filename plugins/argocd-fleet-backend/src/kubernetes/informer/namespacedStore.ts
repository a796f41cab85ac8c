import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { KubernetesError, resourceId, type ObjectSelector } from '../client';
import {
  createObjectStore,
  type IndexFunction,
  type ObjectChange,
  type ObjectLister,
  type ObjectStore,
  type TransformFunction,
} from './objectStore';
import {
  createReflector,
  type Reflector,
  type ReflectorOptions,
} from './reflector';

/** Objects of one resource in those namespaces that are watched. */
export interface NamespacedStore<T, Stored = T> {
  readonly lister: ObjectLister<Stored>;
  /** Watches these namespaces from now on, and drops all others; `''` stands for all namespaces at once. */
  watchNamespaces(namespaces: ReadonlySet<string>): void;
  /** True once the namespace is complete and up to date, or the error that prevents it; undefined until then. */
  syncResult(namespace: string): true | KubernetesError | undefined;
  /** The store for objects of the namespace. */
  storeOf(namespace: string | undefined): ObjectStore<T, Stored> | undefined;
  run(signal: AbortSignal): Promise<void>;
}

interface WatchedNamespace<T, Stored> {
  readonly store: ObjectStore<T, Stored>;
  readonly reflector: Reflector;
  readonly stop: AbortController;
}

/** Creates a store that watches no namespace yet. */
export function createNamespacedStore<
  T extends KubernetesObject,
  Stored extends KubernetesObject,
>(
  options: Omit<ReflectorOptions<T>, 'selection' | 'optional'> & {
    readonly selection: ObjectSelector;
    readonly indexes: Readonly<Record<string, IndexFunction<Stored>>>;
    readonly transform: TransformFunction<T, Stored>;
    readonly onChange: (change: ObjectChange<Stored>) => void;
    readonly onUnreadable?: (object: Stored, error?: unknown) => void;
  },
): NamespacedStore<T, Stored> {
  const { resource, selection, onStateChange } = options;
  const watched = new Map<string, WatchedNamespace<T, Stored>>();
  let running: AbortSignal | undefined;

  function open(namespace: string): WatchedNamespace<T, Stored> {
    const store = createObjectStore<T, Stored, string>(options);
    return {
      store,
      reflector: createReflector({
        ...options,
        selection: { ...selection, ...(namespace && { namespace }) },
        optional: true,
        store,
      }),
      stop: new AbortController(),
    };
  }

  function start({
    reflector,
    stop,
  }: WatchedNamespace<T, Stored>): Promise<void> {
    return running
      ? reflector.run(AbortSignal.any([running, stop.signal]))
      : Promise.resolve();
  }

  function* stores(): Generator<ObjectStore<T, Stored>> {
    for (const { store } of watched.values()) {
      yield store;
    }
  }

  function storeOf(namespace = '') {
    return (watched.get(namespace) ?? watched.get(''))?.store;
  }

  const lister: ObjectLister<Stored> = {
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
    *unreadable() {
      for (const store of stores()) {
        yield* store.unreadable();
      }
    },
  };

  return {
    lister,
    watchNamespaces(namespaces) {
      let changed = false;
      for (const [namespace, { stop }] of watched) {
        if (!namespaces.has(namespace)) {
          stop.abort();
          watched.delete(namespace);
          changed = true;
        }
      }
      for (const namespace of namespaces) {
        if (!watched.has(namespace)) {
          const opened = open(namespace);
          watched.set(namespace, opened);
          start(opened);
          changed = true;
        }
      }
      if (changed) {
        onStateChange();
      }
    },
    syncResult(namespace) {
      const entry = watched.get(namespace) ?? watched.get('');
      if (!entry) {
        return new KubernetesError(
          'unavailable',
          `${resourceId(resource)} of namespace ${namespace} are not read any more`,
        );
      }
      const { failure, synced, relisting } = entry.reflector.state;
      return failure ?? ((synced && !relisting) || undefined);
    },
    storeOf,
    async run(signal) {
      running = signal;
      await Promise.all([...watched.values()].map(start));
      await new Promise<void>(resolve => {
        signal.addEventListener('abort', () => resolve(), { once: true });
        if (signal.aborted) {
          resolve();
        }
      });
    },
  };
}
