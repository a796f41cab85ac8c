import type { LoggerService } from '@backstage/backend-plugin-api';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import type {
  KubernetesClient,
  KubernetesError,
  ObjectSelector,
  ResourceType,
} from '../client';
import type {
  IndexFunction,
  ObjectChange,
  ObjectLister,
  TransformFunction,
} from './objectStore';
import type { ListWatchStart, ReflectorState } from './reflector';
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
   * Whether the resource was listed completely and may still be read. Unlike a short failure, which leaves what is known
   * a little out of date, a lost permission or definition means that it is not known any more.
   */
  isKnown(name: ClusterWide): boolean;
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
