import { KubernetesObject } from '../api/kubernetesObject';
import { Collection, objectKey } from './collection';
import { SharedValues } from './sharedValues';
import { ChangeType, WatchEvent } from './watchEvent';

/** An object as a listener gets to see it first. */
function additionOf(object: KubernetesObject): WatchEvent {
  const revision = Number(object.metadata.resourceVersion);
  return new WatchEvent('ADDED', revision, object, undefined);
}

type ChangeListener = (collectionKey: string, event: WatchEvent) => void;

/** Where an object is. */
export interface ObjectLocation {
  readonly collection: string;
  readonly namespace: string;
  readonly name: string;
}

/** All objects of the hub, under one revision counter as in etcd. */
export class ObjectStore {
  private readonly collections = new Map<string, Collection>();
  /** When collections were dropped: what was before is forgotten. */
  private readonly dropped = new Map<string, number>();
  private readonly byUid = new Map<string, ObjectLocation>();
  private readonly listeners: ChangeListener[] = [];
  private readonly shared = new SharedValues();
  private lastRevision = 1;
  /** Before this revision nothing is remembered of any resource. */
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

  /** Begins to remember a resource that is served from now on: what was before is forgotten, though nothing was. */
  openCollection(key: string): void {
    if (!this.collections.has(key)) {
      this.collections.set(
        key,
        new Collection(this.historyLimit, this.lastRevision),
      );
    }
  }

  /** Forgets a resource that is no longer served, and ends its watches. */
  dropCollection(key: string): void {
    this.collections.get(key)?.closeWatches();
    this.collections.delete(key);
    this.dropped.set(key, this.lastRevision);
  }

  /** Where the object with a UID is now. */
  locate(uid: string): ObjectLocation | undefined {
    return this.byUid.get(uid);
  }

  /** Calls `listener` with everything that is there, then after each change, before the answer to the one who made it. */
  onChange(listener: ChangeListener): void {
    for (const [key, collection] of this.collections) {
      for (const object of collection.list()) {
        listener(key, additionOf(object));
      }
    }
    this.listeners.push(listener);
  }

  /** All objects as they are now, those of some collections first. */
  everything(...first: string[]): readonly KubernetesObject[] {
    const keys = new Set([...first, ...this.collections.keys()]);
    return [...keys].flatMap(key => this.collections.get(key)?.list() ?? []);
  }

  /**
   * Stores an object that comes from elsewhere, as it is; without a
   * resourceVersion it gets the next one. What has its name goes. Only before
   * anybody lists or watches: no history is made of it.
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
      listener(key, additionOf(object));
    }
  }

  /** Ends restoring, at the given revision or after the last object: what was before is forgotten. */
  finishRestore(revision = 0): void {
    this.lastRevision = Math.max(this.lastRevision, revision);
    this.oldest = this.lastRevision;
    this.compact();
  }

  /** Stores an object that is new or replaces the one of its name; gives it its resourceVersion. */
  put(key: string, object: KubernetesObject): void {
    const { namespace = '', name = '' } = object.metadata;
    const previous = this.collection(key).get(namespace, name);
    this.byUid.set(object.metadata.uid!, { collection: key, namespace, name });
    this.shared.share(object);
    this.commit(key, previous ? 'MODIFIED' : 'ADDED', object, previous);
  }

  /** Removes an object; `last` is its final state, as watchers get to see it. */
  remove(key: string, last: KubernetesObject): void {
    const { namespace = '', name = '' } = last.metadata;
    const previous = this.collection(key).get(namespace, name);
    if (!previous) {
      throw new Error(
        `${key} ${objectKey(last)} cannot be removed: it is not there`,
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

  /** Forgets the history of all resources, so that old revisions answer 410. */
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
