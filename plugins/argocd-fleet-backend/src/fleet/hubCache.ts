import type { LoggerService } from '@backstage/backend-plugin-api';
import type {
  HubState,
  KubernetesObject,
  MulticlusterApplicationSetReport,
  Secret,
} from 'backstage-plugin-argocd-fleet-common';
import {
  KubernetesError,
  objectKey,
  resourceId,
  type KubernetesClient,
  type ResourceType,
} from '../kubernetes/client';
import {
  createObjectStore,
  createNamespacedStore,
  createReflector,
  createStructurePool,
  type ListWatchStart,
  type IndexFunction,
  type ObjectChange,
  type ObjectLister,
  type ObjectStore,
  type NamespacedStore,
  type Reflector,
  type ReflectorState,
  type ReflectorTiming,
} from '../kubernetes/informer';
import { hubState } from './hubState';
import {
  FLEET_RESOURCES,
  NAMESPACED_SELECTORS,
  OPTIONAL_RESOURCES,
  type FleetObject,
  type FleetResource,
  type NamespacedResource,
  type ClusterWideResource,
} from './resources';
import {
  transformObject,
  transformReport,
  transformSecret,
} from './transforms';

/** The indexes of each resource's store. */
export type HubIndexes = {
  readonly [Name in FleetResource]: Readonly<
    Record<string, IndexFunction<FleetObject<Name>>>
  >;
};

/** A change of one object of one resource. */
export type FleetEvent = {
  [Name in FleetResource]: ObjectChange<FleetObject<Name>> & {
    readonly resource: Name;
  };
}[FleetResource];

type Stores<Indexes extends HubIndexes> = {
  readonly [Name in FleetResource]: ObjectLister<
    FleetObject<Name>,
    keyof Indexes[Name] & string
  >;
};

/** What is known of a hub, kept up to date by watches. */
export interface HubCache<
  Indexes extends HubIndexes = HubIndexes,
> extends Stores<Indexes> {
  readonly hub: string;
  /** Whether a full list of the resource has been completed since the start; what is known may be out of date. */
  hasSynced(name: ClusterWideResource): boolean;
  /** Whether the hub is known not to have the resource at all. */
  isNotServed(name: ClusterWideResource): boolean;
  /**
   * Why the resources cannot be relied on now, one sentence each; empty when they are complete and up to date. A resource that a hub
   * does well without is not missing where it is absent.
   */
  unsyncedReasons(names: readonly ClusterWideResource[]): readonly string[];
  /** Resolves once the resources are complete and up to date; rejects when the signal is aborted. */
  waitForSync(
    names: readonly ClusterWideResource[],
    signal: AbortSignal,
  ): Promise<void>;
  /** Reads a resource in these namespaces from now on, and in no others; `''` stands for all namespaces. */
  watchNamespaces(
    name: NamespacedResource,
    namespaces: ReadonlySet<string>,
  ): void;
  /**
   * Resolves once what is followed in the namespace is complete and up to date, or with the first reason why it cannot be.
   * Rejects when the signal is aborted.
   */
  waitForNamespaceSync(
    names: readonly NamespacedResource[],
    namespace: string,
    signal: AbortSignal,
  ): Promise<
    | { readonly name: NamespacedResource; readonly error: KubernetesError }
    | undefined
  >;
  state(): HubState;
  /** Takes what a write answered, before the watch brings it. */
  applyWriteResult<Name extends FleetResource>(
    name: Name,
    object: FleetObject<Name>,
  ): void;
  /** Takes it that the hub said that this object is gone, before the watch tells. */
  applyDeletion<Name extends FleetResource>(
    name: Name,
    object: FleetObject<Name>,
  ): void;
  /** Calls back at every change of an object, until the returned function is called. */
  onChange(listener: (change: FleetEvent) => void): () => void;
  /** Calls back when `state()` may have changed. */
  onStateChange(listener: () => void): () => void;
  /** Keeps the cache up to date until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

const ON_DEMAND_NAMES = Object.keys(
  NAMESPACED_SELECTORS,
) as NamespacedResource[];
const WATCHED_NAMES = (Object.keys(FLEET_RESOURCES) as FleetResource[]).filter(
  (name): name is ClusterWideResource => !isOnDemand(name),
);

/** Creates the cache of a hub; it is empty until `run`. */
export function createHubCache<const Indexes extends HubIndexes>(options: {
  readonly hub: string;
  readonly client: KubernetesClient;
  readonly indexes: Indexes;
  readonly logger: LoggerService;
  readonly onReading?: (reading: ListWatchStart) => void;
  readonly timing?: ReflectorTiming;
}): HubCache<Indexes> {
  const { hub, client, indexes, logger, onReading, timing } = options;
  const changeListeners = new Set<(change: FleetEvent) => void>();
  const stateListeners = new Set<() => void>();
  const pool = createStructurePool();

  const slimBy = (
    kind: string,
  ): ((object: KubernetesObject) => KubernetesObject) => {
    switch (kind) {
      case 'Secret':
        // Nothing of it is kept longer than itself, as it would be where its parts are shared.
        return object => transformSecret(object as Secret);
      case 'MulticlusterApplicationSetReport':
        return object =>
          transformReport(object as MulticlusterApplicationSetReport);
      default:
        return object => pool.share(transformObject(object));
    }
  };

  const onStateChange = () => stateListeners.forEach(listener => listener());
  const storing = (name: FleetResource) => ({
    // The compiler cannot follow that the name picks resource and indexes of the same type.
    indexes: indexes[name] as Readonly<
      Record<string, IndexFunction<KubernetesObject>>
    >,
    slim: slimBy(FLEET_RESOURCES[name].kind),
    onChange: (change: ObjectChange<KubernetesObject>) => {
      const named = { ...change, resource: name } as FleetEvent;
      changeListeners.forEach(listener => listener(named));
    },
  });

  const stores = {} as Record<
    ClusterWideResource,
    ObjectStore<KubernetesObject>
  >;
  const reflectors = {} as Record<ClusterWideResource, Reflector>;
  for (const name of WATCHED_NAMES) {
    const store = createObjectStore<KubernetesObject, string>(storing(name));
    stores[name] = store;
    reflectors[name] = createReflector({
      client,
      resource: FLEET_RESOURCES[name] as ResourceType,
      optional: OPTIONAL_RESOURCES.has(name),
      store,
      logger,
      timing,
      onReading,
      onStateChange,
    });
  }
  const onDemand = {} as Record<
    NamespacedResource,
    NamespacedStore<KubernetesObject>
  >;
  const listers = {} as Record<
    NamespacedResource,
    ObjectLister<KubernetesObject>
  >;
  for (const name of ON_DEMAND_NAMES) {
    onDemand[name] = createNamespacedStore({
      ...storing(name),
      client,
      resource: FLEET_RESOURCES[name] as ResourceType,
      selection: NAMESPACED_SELECTORS[name],
      logger,
      timing,
      onReading,
      onStateChange,
    });
    listers[name] = onDemand[name].lister;
  }

  function storeOf(name: FleetResource, { metadata }: KubernetesObject) {
    return isOnDemand(name)
      ? onDemand[name].storeOf(metadata.namespace)
      : stores[name];
  }

  function isNotServed(name: ClusterWideResource): boolean {
    return reflectors[name].state.failure?.kind === 'notServed';
  }

  function unsyncedReasons(names: readonly ClusterWideResource[]): string[] {
    return names.flatMap(name => {
      const { synced, failure } = reflectors[name].state;
      if (OPTIONAL_RESOURCES.has(name) && isNotServed(name)) {
        return [];
      }
      if (failure) {
        return [failure.message];
      }
      return synced
        ? []
        : [
            `${resourceId(FLEET_RESOURCES[name])} of hub "${hub}" are not listed yet`,
          ];
    });
  }

  /** Resolves with what the function answers, once it answers anything at a change of state. */
  function whenState<R>(
    answer: () => { readonly value: R } | undefined,
    signal: AbortSignal,
  ): Promise<R> {
    return new Promise((resolve, reject) => {
      const listening = new AbortController();
      const check = () => {
        const found = answer();
        if (found) {
          listening.abort();
          resolve(found.value);
        }
      };
      stateListeners.add(check);
      listening.signal.addEventListener('abort', () =>
        stateListeners.delete(check),
      );
      const abandon = () => {
        listening.abort();
        reject(signal.reason);
      };
      signal.addEventListener('abort', abandon, {
        signal: listening.signal,
      });
      if (signal.aborted) {
        abandon();
      } else {
        check();
      }
    });
  }

  return {
    ...(stores as unknown as Stores<Indexes>),
    ...(listers as unknown as Pick<Stores<Indexes>, NamespacedResource>),
    hub,
    hasSynced: name => reflectors[name].state.synced,
    isNotServed,
    unsyncedReasons,
    waitForSync: (names, signal) =>
      whenState(
        () =>
          unsyncedReasons(names).length === 0
            ? { value: undefined }
            : undefined,
        signal,
      ),
    watchNamespaces: (name, namespaces) =>
      onDemand[name].watchNamespaces(namespaces),
    waitForNamespaceSync: (names, namespace, signal) =>
      whenState(() => {
        const outcomes = names.map(name => ({
          name,
          outcome: onDemand[name].syncResult(namespace),
        }));
        for (const { name, outcome } of outcomes) {
          if (outcome instanceof KubernetesError) {
            return { value: { name, error: outcome } };
          }
        }
        return outcomes.every(({ outcome }) => outcome === true)
          ? { value: undefined }
          : undefined;
      }, signal),
    state() {
      const states = {} as Record<ClusterWideResource, ReflectorState>;
      for (const name of WATCHED_NAMES) {
        states[name] = reflectors[name].state;
      }
      return hubState(hub, states);
    },
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
      changeListeners.add(listener);
      return () => changeListeners.delete(listener);
    },
    onStateChange(listener) {
      stateListeners.add(listener);
      return () => stateListeners.delete(listener);
    },
    async run(signal) {
      await Promise.all([
        ...WATCHED_NAMES.map(name => reflectors[name].run(signal)),
        ...ON_DEMAND_NAMES.map(name => onDemand[name].run(signal)),
      ]);
    },
  };
}

function isOnDemand(name: FleetResource): name is NamespacedResource {
  return name in NAMESPACED_SELECTORS;
}
