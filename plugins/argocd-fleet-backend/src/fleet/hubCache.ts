import type { LoggerService } from '@backstage/backend-plugin-api';
import type {
  HubState,
  KubernetesObject,
  MulticlusterApplicationSetReport,
  Secret,
} from 'backstage-plugin-argocd-fleet-common';
import {
  HubError,
  objectKey,
  resourceId,
  type HubClient,
  type HubResource,
} from '../kubernetes/client';
import {
  createObjectStore,
  createOnDemandStore,
  createReflector,
  createStructurePool,
  type HubReading,
  type IndexFunction,
  type ObjectChange,
  type ObjectLister,
  type ObjectStore,
  type OnDemandStore,
  type Reflector,
  type ReflectorState,
  type ReflectorTiming,
} from '../kubernetes/informer';
import { hubState } from './hubState';
import {
  HUB_RESOURCES,
  ON_DEMAND,
  OPTIONAL,
  type HubObject,
  type HubResourceName,
  type OnDemandName,
  type WatchedName,
} from './resources';
import { slimObject, slimReport, slimSecret } from './transforms';

/** The indexes of each resource's store. */
export type HubIndexes = {
  readonly [Name in HubResourceName]: Readonly<
    Record<string, IndexFunction<HubObject<Name>>>
  >;
};

/** A change of one object of one resource. */
export type HubChange = {
  [Name in HubResourceName]: ObjectChange<HubObject<Name>> & {
    readonly resource: Name;
  };
}[HubResourceName];

type Stores<Indexes extends HubIndexes> = {
  readonly [Name in HubResourceName]: ObjectLister<
    HubObject<Name>,
    keyof Indexes[Name] & string
  >;
};

/** What is known of a hub, kept up to date by watches. */
export interface HubCache<
  Indexes extends HubIndexes = HubIndexes,
> extends Stores<Indexes> {
  readonly hub: string;
  /** Whether a full list of the resource has been completed since the start; what is known may be out of date. */
  isListed(name: WatchedName): boolean;
  /** Whether the hub is known not to have the resource at all. */
  isAbsent(name: WatchedName): boolean;
  /**
   * Why the resources cannot be relied on now, one sentence each; empty when they are complete and up to date. A resource that a hub
   * does well without is not missing where it is absent.
   */
  missing(names: readonly WatchedName[]): readonly string[];
  /** Resolves once the resources are complete and up to date; rejects when the signal is aborted. */
  whenReady(names: readonly WatchedName[], signal: AbortSignal): Promise<void>;
  /** Reads a resource in these namespaces from now on, and in no others; `''` stands for all namespaces. */
  follow(name: OnDemandName, namespaces: ReadonlySet<string>): void;
  /**
   * Resolves once what is followed in the namespace is complete and up to date, or with the first reason why it cannot be.
   * Rejects when the signal is aborted.
   */
  whenFollowed(
    names: readonly OnDemandName[],
    namespace: string,
    signal: AbortSignal,
  ): Promise<
    { readonly name: OnDemandName; readonly error: HubError } | undefined
  >;
  state(): HubState;
  /** Takes what a write answered, before the watch brings it. */
  absorb<Name extends HubResourceName>(
    name: Name,
    object: HubObject<Name>,
  ): void;
  /** Takes it that the hub said that this object is gone, before the watch tells. */
  forget<Name extends HubResourceName>(
    name: Name,
    object: HubObject<Name>,
  ): void;
  /** Calls back at every change of an object, until the returned function is called. */
  onChange(listener: (change: HubChange) => void): () => void;
  /** Calls back when `state()` may have changed. */
  onStateChange(listener: () => void): () => void;
  /** Keeps the cache up to date until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

const ON_DEMAND_NAMES = Object.keys(ON_DEMAND) as OnDemandName[];
const WATCHED_NAMES = (Object.keys(HUB_RESOURCES) as HubResourceName[]).filter(
  (name): name is WatchedName => !isOnDemand(name),
);

/** Creates the cache of a hub; it is empty until `run`. */
export function createHubCache<const Indexes extends HubIndexes>(options: {
  readonly hub: string;
  readonly client: HubClient;
  readonly indexes: Indexes;
  readonly logger: LoggerService;
  readonly onReading?: (reading: HubReading) => void;
  readonly timing?: ReflectorTiming;
}): HubCache<Indexes> {
  const { hub, client, indexes, logger, onReading, timing } = options;
  const changeListeners = new Set<(change: HubChange) => void>();
  const stateListeners = new Set<() => void>();
  const pool = createStructurePool();

  const slimBy = (
    kind: string,
  ): ((object: KubernetesObject) => KubernetesObject) => {
    switch (kind) {
      case 'Secret':
        // Nothing of it is kept longer than itself, as it would be where its parts are shared.
        return object => slimSecret(object as Secret);
      case 'MulticlusterApplicationSetReport':
        return object => slimReport(object as MulticlusterApplicationSetReport);
      default:
        return object => pool.share(slimObject(object));
    }
  };

  const onStateChange = () => stateListeners.forEach(listener => listener());
  const storing = (name: HubResourceName) => ({
    // The compiler cannot follow that the name picks resource and indexes of the same type.
    indexes: indexes[name] as Readonly<
      Record<string, IndexFunction<KubernetesObject>>
    >,
    slim: slimBy(HUB_RESOURCES[name].kind),
    onChange: (change: ObjectChange<KubernetesObject>) => {
      const named = { ...change, resource: name } as HubChange;
      changeListeners.forEach(listener => listener(named));
    },
  });

  const stores = {} as Record<WatchedName, ObjectStore<KubernetesObject>>;
  const reflectors = {} as Record<WatchedName, Reflector>;
  for (const name of WATCHED_NAMES) {
    const store = createObjectStore<KubernetesObject, string>(storing(name));
    stores[name] = store;
    reflectors[name] = createReflector({
      client,
      resource: HUB_RESOURCES[name] as HubResource,
      optional: OPTIONAL.has(name),
      store,
      logger,
      timing,
      onReading,
      onStateChange,
    });
  }
  const onDemand = {} as Record<OnDemandName, OnDemandStore<KubernetesObject>>;
  const listers = {} as Record<OnDemandName, ObjectLister<KubernetesObject>>;
  for (const name of ON_DEMAND_NAMES) {
    onDemand[name] = createOnDemandStore({
      ...storing(name),
      client,
      resource: HUB_RESOURCES[name] as HubResource,
      selection: ON_DEMAND[name],
      logger,
      timing,
      onReading,
      onStateChange,
    });
    listers[name] = onDemand[name].lister;
  }

  function storeOf(name: HubResourceName, { metadata }: KubernetesObject) {
    return isOnDemand(name)
      ? onDemand[name].storeOf(metadata.namespace)
      : stores[name];
  }

  function isAbsent(name: WatchedName): boolean {
    return reflectors[name].state.failure?.kind === 'notServed';
  }

  function missing(names: readonly WatchedName[]): string[] {
    return names.flatMap(name => {
      const { synced, failure } = reflectors[name].state;
      if (OPTIONAL.has(name) && isAbsent(name)) {
        return [];
      }
      if (failure) {
        return [failure.message];
      }
      return synced
        ? []
        : [
            `${resourceId(HUB_RESOURCES[name])} of hub "${hub}" are not listed yet`,
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
    ...(listers as unknown as Pick<Stores<Indexes>, OnDemandName>),
    hub,
    isListed: name => reflectors[name].state.synced,
    isAbsent,
    missing,
    whenReady: (names, signal) =>
      whenState(
        () => (missing(names).length === 0 ? { value: undefined } : undefined),
        signal,
      ),
    follow: (name, namespaces) => onDemand[name].follow(namespaces),
    whenFollowed: (names, namespace, signal) =>
      whenState(() => {
        const outcomes = names.map(name => ({
          name,
          outcome: onDemand[name].outcome(namespace),
        }));
        for (const { name, outcome } of outcomes) {
          if (outcome instanceof HubError) {
            return { value: { name, error: outcome } };
          }
        }
        return outcomes.every(({ outcome }) => outcome === true)
          ? { value: undefined }
          : undefined;
      }, signal),
    state() {
      const states = {} as Record<WatchedName, ReflectorState>;
      for (const name of WATCHED_NAMES) {
        states[name] = reflectors[name].state;
      }
      return hubState(hub, states);
    },
    absorb: (name, object) => storeOf(name, object)?.absorb(object),
    forget(name, object) {
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

function isOnDemand(name: HubResourceName): name is OnDemandName {
  return name in ON_DEMAND;
}
