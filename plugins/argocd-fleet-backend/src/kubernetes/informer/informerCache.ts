import type { LoggerService } from '@backstage/backend-plugin-api';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import {
  KubernetesError,
  objectKey,
  resourceId,
  type KubernetesClient,
  type ObjectSelector,
  type ResourceType,
} from '../client';
import { createNamespacedStore, type NamespacedStore } from './namespacedStore';
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
  type ListWatchStart,
  type Reflector,
  type ReflectorState,
} from './reflector';
import type { ReflectorTiming } from './reflectorTiming';

/** What one resource of a cache is made of. */
export interface CachedTypes {
  /** Its objects as the API server sends them. */
  readonly object: KubernetesObject;
  /** Its objects as the cache stores them. */
  readonly stored: KubernetesObject;
  /** The names of its indexes. */
  readonly index: string;
}

/** The resources of a cache, each under a name of the caller's choice. */
export type CacheTypes = { readonly [name: string]: CachedTypes };

/** A change of one object of one resource. */
export type CacheEvent<Types extends CacheTypes> = {
  [Name in keyof Types]: ObjectChange<Types[Name]['stored']> & {
    readonly resource: Name;
  };
}[keyof Types];

/** A lister for each resource, under its name. */
export type CacheListers<Types extends CacheTypes> = {
  readonly [Name in keyof Types]: ObjectLister<
    Types[Name]['stored'],
    Types[Name]['index']
  >;
};

/**
 * A cache but for its listers. `Namespaced` are the resources that are watched in some namespaces, `ClusterWide` all
 * others.
 */
export interface CacheControl<
  Types extends CacheTypes,
  Namespaced extends keyof Types,
  ClusterWide extends keyof Types,
> {
  /** Whether a full list of the resource has been completed since the start; the store may be out of date. */
  hasSynced(name: ClusterWide): boolean;
  /** Whether the API server is known not to serve the resource. */
  isNotServed(name: ClusterWide): boolean;
  /**
   * Why the resources cannot be relied on now, one sentence each; empty when they are complete and up to date. An
   * optional resource that is not served gives no reason.
   */
  unsyncedReasons(names: readonly ClusterWide[]): readonly string[];
  /** Resolves once the resources are complete and up to date; rejects when the signal is aborted. */
  waitForSync(
    names: readonly ClusterWide[],
    signal: AbortSignal,
  ): Promise<void>;
  /** Watches a resource in these namespaces from now on, and in no others; `''` stands for all namespaces. */
  watchNamespaces(name: Namespaced, namespaces: ReadonlySet<string>): void;
  /**
   * Resolves once the resources are complete and up to date in the namespace, or with the first reason why they cannot
   * be. Rejects when the signal is aborted.
   */
  waitForNamespaceSync(
    names: readonly Namespaced[],
    namespace: string,
    signal: AbortSignal,
  ): Promise<
    { readonly name: Namespaced; readonly error: KubernetesError } | undefined
  >;
  /** The state of each resource that is watched in the whole cluster. */
  states(): Readonly<Record<ClusterWide, ReflectorState>>;
  /** Stores the answer to a write before the watch brings it. */
  applyWriteResult<Name extends keyof Types & string>(
    name: Name,
    object: Types[Name]['object'],
  ): void;
  /** Removes an object that the API server reported as gone, before the watch does. */
  applyDeletion<Name extends keyof Types & string>(
    name: Name,
    object: Types[Name]['stored'],
  ): void;
  /** Calls back at every change of an object, until the returned function is called. */
  onChange(listener: (event: CacheEvent<Types>) => void): () => void;
  /** Calls back when the state of a resource may have changed. */
  onStateChange(listener: () => void): () => void;
  /** Keeps the cache up to date until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

/** Objects of several resources of an API server, kept up to date by watches. */
export type InformerCache<
  Types extends CacheTypes,
  Namespaced extends keyof Types,
> = CacheListers<Types> &
  CacheControl<Types, Namespaced, Exclude<keyof Types, Namespaced>>;

/** What a cache takes from outside, as client-go's SharedInformerFactory does. */
export interface InformerCacheOptions<
  Types extends CacheTypes,
  Namespaced extends keyof Types,
> {
  readonly client: KubernetesClient;
  /** What messages call the API server: `hub "production"`. */
  readonly server: string;
  readonly resources: {
    readonly [Name in keyof Types]: ResourceType<Types[Name]['object']>;
  };
  readonly indexes: {
    readonly [Name in keyof Types]: Readonly<
      Record<Types[Name]['index'], IndexFunction<Types[Name]['stored']>>
    >;
  };
  /** What is stored of the objects of some resources. */
  readonly transforms: {
    readonly [Name in keyof Types]?: TransformFunction<
      Types[Name]['object'],
      Types[Name]['stored']
    >;
  };
  /** For all other resources. */
  readonly transform: <T extends KubernetesObject>(object: T) => T;
  /** The resources that `watchNamespaces` is for, and which of their objects are watched. */
  readonly namespaced: { readonly [Name in Namespaced]: ObjectSelector };
  /** Resources that an API server may do without. */
  readonly optional: ReadonlySet<keyof Types>;
  readonly logger: LoggerService;
  readonly onListWatchStart?: (start: ListWatchStart) => void;
  readonly timing?: ReflectorTiming;
}

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
  const onStateChange = () => stateListeners.forEach(listener => listener());

  const clusterWide = new Map<string, ClusterWideStore>();
  const onDemand = new Map<string, NamespacedStore<KubernetesObject>>();
  const listers: Record<string, ObjectLister<KubernetesObject>> = {};
  for (const [name, resource] of Object.entries(resources)) {
    const storeOptions = {
      indexes: options.indexes[name],
      transform: options.transforms[name] ?? options.transform,
      onChange: (change: ObjectChange<KubernetesObject>) => {
        const event = { ...change, resource: name };
        listeners.forEach(listener => listener(event));
      },
    };
    const reflectorOptions = {
      client,
      resource,
      logger: options.logger,
      timing: options.timing,
      onListWatchStart: options.onListWatchStart,
      onStateChange,
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
      const { synced, failure } = stateOf(name);
      if (optional.has(name) && isNotServed(name)) {
        return [];
      }
      if (failure) {
        return [failure.message];
      }
      return synced
        ? []
        : [`${resourceId(resources[name])} of ${server} are not listed yet`];
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
    applyDeletion(name, object) {
      const key = objectKey(object.metadata);
      const store = storeOf(name, object);
      if (store?.get(key)?.metadata.uid === object.metadata.uid) {
        store?.remove(key);
      }
    },
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

interface ClusterWideStore {
  readonly store: ObjectStore<KubernetesObject>;
  readonly reflector: Reflector;
}
