import type {
  KubernetesObject,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';

/** A resource of a Kubernetes API. */
export interface ResourceType<T extends KubernetesObject = KubernetesObject> {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Versions to take where the hub does not serve `version`, the best first. */
  readonly olderVersions?: readonly string[];
  /**
   * An object may take a megabyte. Watches and answers to writes bring no more of it than its metadata, as a `PartialObjectMetadata`;
   * what it says is known from a list, or asked for.
   */
  readonly large?: boolean;
  /** Carries the type of the objects; never set. */
  readonly object?: T;
}

/** Names one object of a resource. */
export interface ObjectName {
  readonly namespace?: string;
  readonly name: string;
}

/** One page of a list. */
export interface ListPage<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  /** Token of the next page; undefined on the last one. */
  readonly continue?: string;
}

/** One line of a watch; a `BOOKMARK` carries a resource version and nothing else. */
export type WatchEvent<T> =
  | {
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
      readonly object: T;
    }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string };

/** What every request takes. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
}

/** What every write takes. */
export interface WriteOptions extends RequestOptions {
  /** Asks the API server to validate and answer, and to store nothing. */
  readonly dryRun?: boolean;
  /**
   * Milliseconds since the epoch from which on it is not sent any more. A process that was stopped for a while sends what it was about
   * to send before any timer, and so any signal, can tell it how late it is.
   */
  readonly notAfter?: number;
}

/** Which objects of a resource are meant, where it is not all of them. */
export interface ObjectSelector {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** What a list takes. */
export interface ListOptions extends RequestOptions, ObjectSelector {
  /** Objects of one page. */
  readonly limit?: number;
  readonly continue?: string;
}

/** What a watch takes. */
export interface WatchOptions extends RequestOptions, ObjectSelector {
  readonly resourceVersion: string;
  readonly timeoutSeconds: number;
  /** Called once the API server has accepted the watch: nothing may happen on it for long. */
  readonly onOpen?: () => void;
}

/** One operation of a JSON patch; `path` is a JSON pointer. */
export interface JsonPatchOperation {
  readonly op: 'add' | 'replace';
  readonly path: string;
  readonly value: unknown;
}

/** A merge patch (RFC 7386), or the operations of a JSON patch (RFC 6902). */
export type Patch =
  Readonly<Record<string, unknown>> | readonly JsonPatchOperation[];

/** What a patch takes. */
export interface PatchOptions extends WriteOptions {
  readonly resourceVersion?: string;
  /** Fails with `notServed` where the resource has no such subresource. */
  readonly subresource?: 'status';
}

/** What a delete takes. */
export interface DeleteOptions extends WriteOptions {
  readonly uid: string;
}

/**
 * The few Kubernetes requests that this plugin makes. Every method throws a `KubernetesError`.
 */
export interface KubernetesClient {
  list<T extends KubernetesObject>(
    resource: ResourceType<T>,
    options?: ListOptions,
  ): Promise<ListPage<T>>;

  /**
   * Yields what happens after `resourceVersion`, bookmarks included, until the API server ends the watch after `timeoutSeconds`.
   * Throws `gone` when that version is too old, and `unavailable` when the watch outlives its own timeout: then it is silent, not idle.
   */
  watch<T extends KubernetesObject>(
    resource: ResourceType<T>,
    options: WatchOptions,
  ): AsyncIterable<WatchEvent<T>>;

  get<T extends KubernetesObject>(
    resource: ResourceType<T>,
    name: ObjectName,
    options?: RequestOptions,
  ): Promise<T>;

  create<T extends KubernetesObject>(
    resource: ResourceType<T>,
    object: KubernetesObject,
    options?: WriteOptions,
  ): Promise<T>;

  /** `resourceVersion` makes it fail with `conflict` where the object changed since. */
  patch<T extends KubernetesObject>(
    resource: ResourceType<T>,
    name: ObjectName,
    patch: Patch,
    options?: PatchOptions,
  ): Promise<T>;

  /**
   * Deletes the object that has this UID, and no other of the same name (`conflict`).
   * Answers with the object where it stays for its finalizers.
   */
  delete<T extends KubernetesObject>(
    resource: ResourceType<T>,
    name: ObjectName,
    options: DeleteOptions,
  ): Promise<T | undefined>;

  /** Ends every connection; requests under way fail with `aborted`. */
  close(): Promise<void>;
}

/** `<plural>.<group>`, as `kubectl` takes it. */
export function resourceId({ plural, group }: ResourceType): string {
  return group ? `${plural}.${group}` : plural;
}

/** `<namespace>/<name>`, or the name alone for what has no namespace. */
export function objectKey({ namespace, name }: ObjectName): string {
  return namespace ? `${namespace}/${name}` : name;
}

/** Reads the key of a namespaced object back. */
export function parseKey(key: string): NamespacedName {
  const [namespace, name] = key.split('/');
  return { namespace, name };
}
