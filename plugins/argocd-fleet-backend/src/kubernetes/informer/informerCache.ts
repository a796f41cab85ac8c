import { isError } from '@backstage/errors';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { KubernetesError, objectKey, resourceId } from '../client';
import type {
  CacheControl,
  CacheEvent,
  CacheTypes,
  InformerCache,
  InformerCacheOptions,
} from './cacheTypes';
import { createNamespacedStore, type NamespacedStore } from './namespacedStore';
import {
  createObjectStore,
  type ObjectChange,
  type ObjectLister,
  type ObjectStore,
} from './objectStore';
import {
  createReflector,
  type Reflector,
  type ReflectorState,
} from './reflector';

/** Creates a cache; it is empty until `run`. */
export function createInformerCache<
  Types extends CacheTypes,
  Namespaced extends keyof Types,
>(
  options: InformerCacheOptions<Types, Namespaced>,
): InformerCache<Types, Namespaced>;
// The signature above relates names and types. Inside, every object is a KubernetesObject.
export function createInformerCache(
  options: InformerCacheOptions<CacheTypes, string>,
) {
  const { client, server, resources, namespaced, optional } = options;
  const listeners = new Set<(event: CacheEvent<CacheTypes>) => void>();
  const stateListeners = new Set<() => void>();
  const onStateChange = () =>
    notify(stateListeners, undefined, 'a change of state');

  /** One listener that throws must not keep an event from the others, nor end the watch that brought it. */
  function notify<Event>(
    all: ReadonlySet<(event: Event) => void>,
    event: Event,
    description: string,
  ) {
    for (const listener of all) {
      try {
        listener(event);
      } catch (error) {
        options.logger.error(
          `Could not process ${description} of ${server}`,
          asError(error),
        );
      }
    }
  }

  const clusterWide = new Map<string, ClusterWideStore>();
  const onDemand = new Map<string, NamespacedStore<KubernetesObject>>();
  const listers: Record<string, ObjectLister<KubernetesObject>> = {};
  for (const [name, resource] of Object.entries(resources)) {
    const storeOptions = {
      indexes: options.indexes[name],
      transform: options.transforms[name] ?? options.transform,
      onChange: (change: ObjectChange<KubernetesObject>) => {
        const event = { ...change, resource: name };
        notify(listeners, event, `${resourceId(resource)} ${change.key}`);
      },
      onUnreadable: (
        { metadata, unreadable }: KubernetesObject,
        error?: unknown,
      ) =>
        options.logger.warn(
          `${resourceId(resource)} ${objectKey(metadata)} of ${server} ${unreadable}: it is left as it is`,
          error === undefined ? undefined : asError(error),
        ),
    };
    const reflectorOptions = {
      client,
      resource,
      logger: options.logger,
      timing: options.timing,
      onListWatchStart: options.onListWatchStart,
      onStateChange,
      onReturn: () =>
        clusterWide.forEach(({ reflector }) => reflector.retryNow()),
    };
    const selection = namespaced[name];
    if (selection) {
      const store = createNamespacedStore({
        ...storeOptions,
        ...reflectorOptions,
        selection,
      });
      onDemand.set(name, store);
      listers[name] = store.lister;
    } else {
      const store = createObjectStore(storeOptions);
      const reflector = createReflector({
        ...reflectorOptions,
        optional: optional.has(name),
        store,
      });
      clusterWide.set(name, { store, reflector });
      listers[name] = store;
    }
  }

  function stateOf(name: string): ReflectorState {
    return clusterWide.get(name)!.reflector.state;
  }

  function isNotServed(name: string): boolean {
    return stateOf(name).failure?.kind === 'notServed';
  }

  function unsyncedReasons(names: readonly string[]): string[] {
    return names.flatMap(name => {
      const { reflector } = clusterWide.get(name)!;
      if (reflector.isUpToDate || (optional.has(name) && isNotServed(name))) {
        return [];
      }
      return [
        reflector.state.failure?.message ??
          `${resourceId(resources[name])} of ${server} are not listed yet`,
      ];
    });
  }

  /** The first error; true once all are complete and up to date, undefined until then. */
  function namespaceSync(names: readonly string[], namespace: string) {
    let synced = true;
    for (const name of names) {
      const result = onDemand.get(name)!.syncResult(namespace);
      if (result instanceof KubernetesError) {
        return { name, error: result };
      }
      synced &&= result === true;
    }
    return synced || undefined;
  }

  /** Resolves with the first result of `check` that is not undefined; it is called again at each change of state. */
  function waitForState<R>(
    check: () => R | undefined,
    signal: AbortSignal,
  ): Promise<R> {
    // Mostly there is nothing to wait for, and what a wait needs takes longer than the answer.
    const known = signal.aborted ? undefined : check();
    if (known !== undefined) {
      return Promise.resolve(known);
    }
    return new Promise((resolve, reject) => {
      const end = new AbortController();
      const listener = () => {
        const result = check();
        if (result !== undefined) {
          end.abort();
          resolve(result);
        }
      };
      const abort = () => {
        end.abort();
        reject(signal.reason);
      };
      stateListeners.add(listener);
      end.signal.addEventListener('abort', () =>
        stateListeners.delete(listener),
      );
      signal.addEventListener('abort', abort, { signal: end.signal });
      if (signal.aborted) {
        abort();
      } else {
        listener();
      }
    });
  }

  function storeOf(name: string, { metadata }: KubernetesObject) {
    return (
      clusterWide.get(name)?.store ??
      onDemand.get(name)?.storeOf(metadata.namespace)
    );
  }

  const control: CacheControl<CacheTypes, string, string> = {
    hasSynced: name => stateOf(name).synced,
    isNotServed,
    isKnown(name) {
      const { synced, failure } = stateOf(name);
      return (
        synced && failure?.kind !== 'forbidden' && failure?.kind !== 'notServed'
      );
    },
    unsyncedReasons,
    async waitForSync(names, signal) {
      await waitForState(
        () => unsyncedReasons(names).length === 0 || undefined,
        signal,
      );
    },
    watchNamespaces: (name, namespaces) =>
      onDemand.get(name)!.watchNamespaces(namespaces),
    async waitForNamespaceSync(names, namespace, signal) {
      const result = await waitForState(
        () => namespaceSync(names, namespace),
        signal,
      );
      return result === true ? undefined : result;
    },
    states: () =>
      Object.fromEntries(
        [...clusterWide.keys()].map(name => [name, stateOf(name)]),
      ),
    applyWriteResult: (name, object) =>
      storeOf(name, object)?.applyWriteResult(object),
    applyDeletion: (name, object) =>
      storeOf(name, object)?.applyDeletion(object),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onStateChange(listener) {
      stateListeners.add(listener);
      return () => stateListeners.delete(listener);
    },
    async run(signal) {
      await Promise.all([
        ...Array.from(clusterWide.values(), ({ reflector }) =>
          reflector.run(signal),
        ),
        ...Array.from(onDemand.values(), store => store.run(signal)),
      ]);
    },
  };
  return Object.assign(listers, control);
}

function asError(thrown: unknown): Error {
  return isError(thrown) ? thrown : new Error(String(thrown));
}

interface ClusterWideStore {
  readonly store: ObjectStore<KubernetesObject>;
  readonly reflector: Reflector;
}
