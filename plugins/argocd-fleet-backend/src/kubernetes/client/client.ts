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
  /** Versions to use where the API server does not serve `version`, the preferred first. */
  readonly olderVersions?: readonly string[];
  /**
   * An object may be a megabyte. Watches and answers to writes bring only its metadata, as a `PartialObjectMetadata`;
   * lists and `get` bring the whole object.
   */
  readonly large?: boolean;
  /** Levels of nested lists and objects that are read of one; by default as many as of any JSON. */
  readonly maxDepth?: number;
  /** The type of the objects; never set. */
  readonly object?: T;
}

/** The name of one object of a resource. */
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

/** One event of a watch; a `BOOKMARK` has only a resource version. */
export type WatchEvent<T> =
  | {
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
      readonly object: T;
    }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string };

/** Options of every request. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
}

/** Options of every write. */
export interface WriteOptions extends RequestOptions {
  /** Makes the API server validate and answer, and store nothing. */
  readonly dryRun?: boolean;
  /**
   * Milliseconds since the epoch after which the write is not sent. A signal is not enough: a process that was
   * suspended resumes with the write before any timer, and so any signal, has fired.
   */
  readonly notAfter?: number;
}

/** Selects objects of a resource; all without any field. */
export interface ObjectSelector {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** Options of a list. */
export interface ListOptions<T extends KubernetesObject = KubernetesObject>
  extends RequestOptions, ObjectSelector {
  /** Objects in one page. */
  readonly limit?: number;
  readonly continue?: string;
  /**
   * Takes the objects as they arrive, so that a page is never in memory as a whole; it has none then. The list may still
   * fail after them.
   */
  readonly onItem?: (item: T) => void;
}

/** Options of a watch. */
export interface WatchOptions extends RequestOptions, ObjectSelector {
  readonly resourceVersion: string;
  readonly timeoutSeconds: number;
  /** Called when the API server has accepted the watch; its first event may come much later. */
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

/** Options of a patch. */
export interface PatchOptions extends WriteOptions {
  readonly resourceVersion?: string;
  /** Fails with `notServed` where the resource has no such subresource. */
  readonly subresource?: 'status';
}

/** Options of a delete. */
export interface DeleteOptions extends WriteOptions {
  readonly uid: string;
  /** Fails with `conflict` where the object has another one. */
  readonly resourceVersion?: string;
  /** `Foreground`: the object remains until all that it owns is gone. Default: `Background`. */
  readonly propagationPolicy?: 'Background' | 'Foreground';
}

/**
 * Requests to a Kubernetes API server. Every method throws a `KubernetesError`. An object that nests too deep comes with
 * its metadata alone, as `unreadable`.
 */
export interface KubernetesClient {
  list<T extends KubernetesObject>(
    resource: ResourceType<T>,
    options?: ListOptions<T>,
  ): Promise<ListPage<T>>;

  /**
   * Yields the events after `resourceVersion`, bookmarks included, until the API server ends the watch after
   * `timeoutSeconds`. Throws `gone` when that version is too old, and `unavailable` when the watch does not end in
   * time: then the connection is broken.
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

  /** With a `resourceVersion` it fails with `conflict` where the object has another one. */
  patch<T extends KubernetesObject>(
    resource: ResourceType<T>,
    name: ObjectName,
    patch: Patch,
    options?: PatchOptions,
  ): Promise<T>;

  /**
   * Deletes the object with this UID; fails with `conflict` where the object of that name has another one.
   * Resolves with the object where it remains for its finalizers.
   */
  delete<T extends KubernetesObject>(
    resource: ResourceType<T>,
    name: ObjectName,
    options: DeleteOptions,
  ): Promise<T | undefined>;

  /** Ends every connection; requests under way fail with `aborted`. */
  close(): Promise<void>;
}

/** `<plural>.<group>`, as `kubectl` accepts it. */
export function resourceId({ plural, group }: ResourceType): string {
  return group ? `${plural}.${group}` : plural;
}

/** `<namespace>/<name>`; the name alone for an object without namespace. */
export function objectKey({ namespace, name }: ObjectName): string {
  return namespace ? `${namespace}/${name}` : name;
}

/** Reads the key of a namespaced object back. */
export function parseKey(key: string): NamespacedName {
  const [namespace, name] = key.split('/');
  return { namespace, name };
}
