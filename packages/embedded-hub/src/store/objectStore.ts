import { KubernetesObject } from '../api/kubernetesObject';
import { Collection, objectKey } from './collection';
import { SharedValues } from './sharedValues';
import { ChangeType, WatchEvent } from './watchEvent';

/** The event with which a listener first receives an object. */
function addedEvent(object: KubernetesObject): WatchEvent {
  const revision = Number(object.metadata.resourceVersion);
  return new WatchEvent('ADDED', revision, object, undefined);
}

type ChangeListener = (collectionKey: string, event: WatchEvent) => void;

/** Collection, namespace and name of an object. */
export interface ObjectLocation {
  readonly collection: string;
  readonly namespace: string;
  readonly name: string;
}

/** All objects of the hub, with one revision counter as in etcd. */
export class ObjectStore {
  private readonly collections = new Map<string, Collection>();
  /** Revision at which each dropped collection was dropped: there is no history from before. */
  private readonly dropped = new Map<string, number>();
  private readonly byUid = new Map<string, ObjectLocation>();
  private readonly listeners: ChangeListener[] = [];
  private readonly shared = new SharedValues();
  private lastRevision = 1;
  /** Revision before which no collection has a history. */
  private oldest = 0;

  constructor(private readonly historyLimit: number) {}

  get revision(): number {
    return this.lastRevision;
  }

  collection(key: string): Collection {
    let collection = this.collections.get(key);
    if (!collection) {
      collection = new Collection(
        this.historyLimit,
        this.dropped.get(key) ?? this.oldest,
      );
      this.collections.set(key, collection);
    }
    return collection;
  }

  /** Adds the collection of a newly served resource; its history starts at the current revision. */
  openCollection(key: string): void {
    if (!this.collections.has(key)) {
      this.collections.set(
        key,
        new Collection(this.historyLimit, this.lastRevision),
      );
    }
  }

  /** Removes the collection of a resource that is no longer served, and ends its watches. */
  dropCollection(key: string): void {
    this.collections.get(key)?.closeWatches();
    this.collections.delete(key);
    this.dropped.set(key, this.lastRevision);
  }

  /** The location of the object with a UID. */
  locate(uid: string): ObjectLocation | undefined {
    return this.byUid.get(uid);
  }

  /** Calls `listener` with every stored object, then with each change before its request is answered. */
  onChange(listener: ChangeListener): void {
    for (const [key, collection] of this.collections) {
      for (const object of collection.list()) {
        listener(key, addedEvent(object));
      }
    }
    this.listeners.push(listener);
  }

  /** All current objects, those of some collections first. */
  listAll(...first: string[]): readonly KubernetesObject[] {
    const keys = new Set([...first, ...this.collections.keys()]);
    return [...keys].flatMap(key => this.collections.get(key)?.list() ?? []);
  }

  /**
   * Stores an object of a snapshot unchanged, in place of any object of its name; without a resourceVersion it gets the
   * next one. It is not part of the history, so this is only for the time before the first list or watch.
   */
  restore(key: string, object: KubernetesObject): void {
    const { metadata } = object;
    const { namespace = '', name = '' } = metadata;
    const previous = this.collection(key).get(namespace, name);
    if (previous) {
      this.byUid.delete(previous.metadata.uid!);
    }
    metadata.resourceVersion ??= String(this.lastRevision + 1);
    this.lastRevision = Math.max(
      this.lastRevision,
      Number(metadata.resourceVersion),
    );
    this.byUid.set(metadata.uid!, { collection: key, namespace, name });
    this.shared.share(object);
    this.collection(key).restore(object);
    for (const listener of this.listeners) {
      listener(key, addedEvent(object));
    }
  }

  /** Ends restoring at the given revision, or at that of the last object; the history starts there. */
  finishRestore(revision = 0): void {
    this.lastRevision = Math.max(this.lastRevision, revision);
    this.oldest = this.lastRevision;
    this.compact();
  }

  /** Stores an object, new or in place of the one of its name, and sets its resourceVersion. */
  put(key: string, object: KubernetesObject): void {
    const { namespace = '', name = '' } = object.metadata;
    const previous = this.collection(key).get(namespace, name);
    this.byUid.set(object.metadata.uid!, { collection: key, namespace, name });
    this.shared.share(object);
    this.commit(key, previous ? 'MODIFIED' : 'ADDED', object, previous);
  }

  /** Removes an object; `last` is its final state for watchers. */
  remove(key: string, last: KubernetesObject): void {
    const { namespace = '', name = '' } = last.metadata;
    const previous = this.collection(key).get(namespace, name);
    if (!previous) {
      throw new Error(
        `${key} ${objectKey(last)} cannot be removed: it does not exist`,
      );
    }
    this.byUid.delete(previous.metadata.uid!);
    this.commit(
      key,
      'DELETED',
      { ...last, metadata: { ...last.metadata } },
      previous,
    );
  }

  private commit(
    key: string,
    type: ChangeType,
    object: KubernetesObject,
    previous: KubernetesObject | undefined,
  ): void {
    this.lastRevision += 1;
    object.metadata.resourceVersion = String(this.lastRevision);
    const event = new WatchEvent(type, this.lastRevision, object, previous);
    this.collection(key).apply(event);
    for (const listener of this.listeners) {
      listener(key, event);
    }
  }

  /** Drops the history of all resources, so that old revisions answer 410. */
  compact(): void {
    for (const collection of this.collections.values()) {
      collection.trimHistory(0, this.lastRevision);
    }
  }

  closeWatches(): void {
    for (const collection of this.collections.values()) {
      collection.closeWatches();
    }
  }
}
