import type { LoggerService } from '@backstage/backend-plugin-api';
import type {
  HubState,
  KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import {
  objectKey,
  resourceId,
  type HubClient,
  type HubResource,
} from './hubClient';
import { hubState } from './hubState';
import {
  HUB_RESOURCES,
  type HubObject,
  type HubResourceName,
} from './hubResources';
import {
  createObjectStore,
  type IndexFunction,
  type ObjectChange,
  type ObjectLister,
  type ObjectStore,
} from './objectStore';
import {
  createReflector,
  type Reflector,
  type ReflectorState,
  type ReflectorTiming,
} from './reflector';
import { slimObject } from './slimObject';

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
  isListed(name: HubResourceName): boolean;
  /** Why the resources cannot be relied on now, one sentence each; empty when they are complete and up to date. */
  missing(names: readonly HubResourceName[]): readonly string[];
  /** Resolves once the resources are complete and up to date; rejects when the signal is aborted. */
  whenReady(
    names: readonly HubResourceName[],
    signal: AbortSignal,
  ): Promise<void>;
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

const NAMES = Object.keys(HUB_RESOURCES) as HubResourceName[];

/** Creates the cache of a hub; it is empty until `run`. */
export function createHubCache<const Indexes extends HubIndexes>(options: {
  readonly hub: string;
  readonly client: HubClient;
  readonly indexes: Indexes;
  readonly logger: LoggerService;
  readonly timing?: ReflectorTiming;
}): HubCache<Indexes> {
  const { hub, client, indexes, logger, timing } = options;
  const changeListeners = new Set<(change: HubChange) => void>();
  const stateListeners = new Set<() => void>();

  const stores = {} as Record<HubResourceName, ObjectStore<KubernetesObject>>;
  const reflectors = {} as Record<HubResourceName, Reflector>;
  for (const name of NAMES) {
    const store = createObjectStore<KubernetesObject, string>({
      // The compiler cannot follow that the name picks resource and indexes of the same type.
      indexes: indexes[name] as Readonly<
        Record<string, IndexFunction<KubernetesObject>>
      >,
      slim: slimObject,
      onChange: change => {
        const named = { ...change, resource: name } as HubChange;
        changeListeners.forEach(listener => listener(named));
      },
    });
    stores[name] = store;
    reflectors[name] = createReflector({
      client,
      resource: HUB_RESOURCES[name] as HubResource,
      store,
      logger,
      timing,
      onStateChange: () => stateListeners.forEach(listener => listener()),
    });
  }

  function missing(names: readonly HubResourceName[]): string[] {
    return names.flatMap(name => {
      const { synced, failure } = reflectors[name].state;
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

  return {
    ...(stores as unknown as Stores<Indexes>),
    hub,
    isListed: name => reflectors[name].state.synced,
    missing,
    whenReady(names, signal) {
      return new Promise((resolve, reject) => {
        const listening = new AbortController();
        const check = () => {
          if (missing(names).length === 0) {
            listening.abort();
            resolve();
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
    },
    state() {
      const states = {} as Record<HubResourceName, ReflectorState>;
      for (const name of NAMES) {
        states[name] = reflectors[name].state;
      }
      return hubState(hub, states);
    },
    absorb: (name, object) => stores[name].absorb(object),
    forget(name, { metadata }) {
      const key = objectKey(metadata);
      if (stores[name].get(key)?.metadata.uid === metadata.uid) {
        stores[name].remove(key);
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
      await Promise.all(NAMES.map(name => reflectors[name].run(signal)));
    },
  };
}
