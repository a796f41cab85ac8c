import { KubernetesObject } from '../api/kubernetesObject';
import { insertKey, removeKey } from './sortedKeys';
import { WatchEvent } from './watchEvent';

/** Past states of a collection that are kept for the next pages of lists. */
const SNAPSHOT_LIMIT = 8;

type Listener = (event: WatchEvent) => void;

interface NamespaceBucket {
  readonly objects: Map<string, KubernetesObject>;
  /** Sorted names, as etcd sorts its keys. */
  readonly names: string[];
}

/** The objects of a namespace, or of all, as they were at a revision. */
interface Snapshot {
  readonly revision: number;
  readonly namespace: string | undefined;
  readonly objects: readonly KubernetesObject[];
}

/** Sort key of an object: etcd's key without the prefix that all objects of a resource share. */
export function objectKey(object: KubernetesObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}

/** The objects of one resource, by namespace, with the history of their last changes. */
export class Collection {
  private readonly buckets = new Map<string, NamespaceBucket>();
  /** Sorted `namespace/` keys: the slash is part of etcd's key order. */
  private readonly namespaceKeys: string[] = [];
  private history: WatchEvent[] = [];
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly closers = new Set<() => void>();
  private snapshots: Snapshot[] = [];
  private count = 0;
  /** Changes up to and including this revision can no longer be replayed. */
  private compacted: number;

  constructor(
    private readonly historyLimit: number,
    /** Revision before which there is no history. */
    start: number,
  ) {
    this.compacted = start;
  }

  get size(): number {
    return this.count;
  }

  get(namespace: string, name: string): KubernetesObject | undefined {
    return this.buckets.get(namespace)?.objects.get(name);
  }

  /** Objects in key order, of one namespace or of all. */
  list(namespace?: string): KubernetesObject[] {
    const result: KubernetesObject[] = [];
    const append = (bucket: NamespaceBucket | undefined) => {
      for (const name of bucket?.names ?? []) {
        result.push(bucket!.objects.get(name)!);
      }
    };
    if (namespace !== undefined) {
      append(this.buckets.get(namespace));
    } else {
      for (const key of this.namespaceKeys) {
        append(this.buckets.get(key.slice(0, -1)));
      }
    }
    return result;
  }

  /**
   * Objects of one namespace or of all as they were at a revision, undefined when its history is no longer kept. The
   * result is cached for the next page.
   */
  listAt(
    revision: number,
    current: number,
    namespace?: string,
  ): readonly KubernetesObject[] | undefined {
    const kept = this.snapshots.find(
      snapshot =>
        snapshot.revision === revision && snapshot.namespace === namespace,
    );
    if (kept) {
      return kept.objects;
    }
    if (revision < this.compacted) {
      return undefined;
    }
    const objects =
      revision >= current
        ? this.list(namespace)
        : this.stateAt(revision, namespace);
    this.snapshots.push({ revision, namespace, objects });
    if (this.snapshots.length > SNAPSHOT_LIMIT) {
      this.snapshots.shift();
    }
    return objects;
  }

  private stateAt(
    revision: number,
    namespace: string | undefined,
  ): readonly KubernetesObject[] {
    const before = new Map<string, KubernetesObject | undefined>();
    for (let i = this.history.length - 1; i >= 0; i--) {
      const event = this.history[i];
      if (event.revision <= revision) {
        break;
      }
      if (
        namespace === undefined ||
        event.object.metadata.namespace === namespace
      ) {
        before.set(objectKey(event.object), event.previous);
      }
    }
    const objects: KubernetesObject[] = [];
    for (const object of this.list(namespace)) {
      const key = objectKey(object);
      const past = before.has(key) ? before.get(key) : object;
      before.delete(key);
      if (past) {
        objects.push(past);
      }
    }
    // The remaining objects have been deleted since.
    const deleted = [...before.values()].filter(object => object !== undefined);
    return deleted.length > 0
      ? [...objects, ...deleted].sort((a, b) =>
          objectKey(a) < objectKey(b) ? -1 : 1,
        )
      : objects;
  }

  /** Stores a change, adds it to the history and calls the listeners. */
  apply(event: WatchEvent): void {
    const namespace = event.object.metadata.namespace ?? '';
    const name = event.object.metadata.name!;
    if (event.type === 'DELETED') {
      this.drop(namespace, name);
    } else {
      this.put(namespace, name, event.object);
    }
    this.history.push(event);
    if (this.history.length > this.historyLimit * 1.25) {
      this.trimHistory(this.historyLimit);
    }
    for (const key of ['*', namespace]) {
      for (const listener of this.listeners.get(key) ?? []) {
        listener(event);
      }
    }
    event.releaseLines();
  }

  /** Stores an object, or replaces the one of its name, without an event in the history. */
  restore(object: KubernetesObject): void {
    const { namespace = '', name = '' } = object.metadata;
    this.put(namespace, name, object);
  }

  private put(namespace: string, name: string, object: KubernetesObject): void {
    let bucket = this.buckets.get(namespace);
    if (!bucket) {
      bucket = { objects: new Map(), names: [] };
      this.buckets.set(namespace, bucket);
      insertKey(this.namespaceKeys, `${namespace}/`);
    }
    if (!bucket.objects.has(name)) {
      insertKey(bucket.names, name);
      this.count += 1;
    }
    bucket.objects.set(name, object);
  }

  private drop(namespace: string, name: string): void {
    const bucket = this.buckets.get(namespace);
    if (!bucket?.objects.delete(name)) {
      return;
    }
    removeKey(bucket.names, name);
    this.count -= 1;
    if (bucket.names.length === 0) {
      this.buckets.delete(namespace);
      removeKey(this.namespaceKeys, `${namespace}/`);
    }
  }

  /** Drops all but the last `keep` changes, and all before a revision, as etcd's compaction does. */
  trimHistory(keep: number, before = 0): void {
    const dropped = this.history.length - keep;
    if (dropped > 0) {
      this.compacted = this.history[dropped - 1].revision;
      this.history = this.history.slice(dropped);
    }
    this.compacted = Math.max(this.compacted, before);
    this.snapshots = this.snapshots.filter(
      snapshot => snapshot.revision >= this.compacted,
    );
  }

  /** Changes after a revision, undefined when some of them are no longer kept. */
  since(revision: number): readonly WatchEvent[] | undefined {
    if (revision < this.compacted) {
      return undefined;
    }
    let start = this.history.length;
    while (start > 0 && this.history[start - 1].revision > revision) {
      start -= 1;
    }
    return this.history.slice(start);
  }

  /** The revision up to which changes are no longer kept. */
  get compactedRevision(): number {
    return this.compacted;
  }

  /**
   * Calls `listener` for each future change, in one namespace or in all; returns a function that ends the subscription.
   */
  subscribe(namespace: string | undefined, listener: Listener): () => void {
    const key = namespace ?? '*';
    const listeners = this.listeners.get(key) ?? new Set();
    this.listeners.set(key, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.listeners.get(key) === listeners) {
        this.listeners.delete(key);
      }
    };
  }

  /** Calls `closer` when the resource is no longer served or the hub stops; returns a function that removes it. */
  onClose(closer: () => void): () => void {
    this.closers.add(closer);
    return () => this.closers.delete(closer);
  }

  /** Ends every watch. */
  closeWatches(): void {
    for (const close of [...this.closers]) {
      close();
    }
  }
}

/** Index of the first object of a list in key order whose key is not before `key`. */
export function firstFrom(
  objects: readonly KubernetesObject[],
  key: string,
): number {
  let low = 0;
  let high = objects.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (objectKey(objects[middle]) < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
