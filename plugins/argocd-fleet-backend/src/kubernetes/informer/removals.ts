import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { flatText } from './flatText';
import { versionOf } from './objectVersion';

/**
 * Remembers what was removed from a store, so that a late event or answer to a write does not bring it back: the last
 * removal under each key.
 */
export interface Removals {
  add(key: string, object: KubernetesObject, removal: RemovalOptions): void;
  /** Whether an event of the watch is earlier than what was removed. */
  isLateEvent(key: string, object: KubernetesObject): boolean;
  /** As `isLateEvent`, for the answer to a write: only the watch may bring back the same object. */
  isLateAnswer(key: string, object: KubernetesObject): boolean;
  /**
   * As `isLateEvent`, for an object of a list: what was removed before the listing began is no reason, because the list
   * may be of another history.
   * @param written - whether the answer to a write was stored under the key since the listing began
   */
  isLateInList(
    key: string,
    object: KubernetesObject,
    written: boolean,
  ): boolean;
  /** The object is stored again. */
  forget(key: string, object: KubernetesObject): void;
  startListing(): void;
  /**
   * What the watch sends next is later than the list; only what was removed since the listing began may be later still.
   * @param version - that of the list
   * @param written - the keys of the answers to writes that were stored since the listing began
   */
  endListing(version: number, written: ReadonlySet<string>): void;
}

/** What is known of an object that is removed. */
export interface RemovalOptions {
  /**
   * Whether the API server says that it deleted the object. A watch reports an object that ceases to match its selector
   * in the same way as one that was deleted, and it may match again.
   */
  readonly deleted: boolean;
  /** Whether the object, as it is given, was in the store until now. */
  readonly wasStored: boolean;
}

interface Removal {
  readonly uid: string | undefined;
  readonly deleted: boolean;
  /** Whatever has a lower version is earlier than the removal, whichever object of this name it is. */
  readonly floor: number;
}

/** So many keys are remembered: many more than there are concurrent writes. */
const REMEMBERED_KEYS = 1_000;

/** Creates the memory of removals, with none in it. */
export function createRemovals(): Removals {
  const removals = new Map<string, Removal>();
  /** Keys of the removals since the last listing began. */
  const recent = new Set<string>();

  /** Puts the key behind all others, which are forgotten first. */
  function remember(key: string, removal: Removal) {
    removals.delete(key);
    removals.set(flatText(key), removal);
    recent.add(flatText(key));
    if (removals.size > REMEMBERED_KEYS) {
      const [oldest] = removals.keys();
      removals.delete(oldest);
      recent.delete(oldest);
    }
  }

  return {
    add(key, object, { deleted, wasStored }) {
      const { uid } = object.metadata;
      const last = removals.get(key);
      const again = last !== undefined && last.uid === uid;
      if (last && !again && !wasStored && versionOf(object) < last.floor) {
        // The removal of a predecessor, reported late.
        return;
      }
      // We may know the version of what we deleted from before the API server was restored.
      const floor = wasStored || !deleted ? versionOf(object) : -Infinity;
      remember(key, {
        uid,
        deleted: deleted || (again && last.deleted),
        floor: Math.max(floor, last?.floor ?? -Infinity),
      });
    },
    isLateEvent(key, object) {
      const removal = removals.get(key);
      return (
        removal !== undefined &&
        (isDeleted(removal, object) || versionOf(object) < removal.floor)
      );
    },
    isLateAnswer(key, object) {
      const removal = removals.get(key);
      return (
        removal !== undefined &&
        (isSame(removal, object) || versionOf(object) <= removal.floor)
      );
    },
    isLateInList(key, object, written) {
      const removal = recent.has(key) ? removals.get(key) : undefined;
      return (
        removal !== undefined &&
        (isDeleted(removal, object) ||
          (written && versionOf(object) < removal.floor))
      );
    },
    forget(key, object) {
      const removal = removals.get(key);
      if (removal && isSame(removal, object)) {
        removals.delete(key);
        recent.delete(key);
      }
    },
    startListing: () => recent.clear(),
    endListing(version, written) {
      for (const [key, removal] of removals) {
        const deleted = removal.deleted && recent.has(key);
        const isOfThisHistory = recent.has(key) && written.has(key);
        const floor = isOfThisHistory ? removal.floor : version;
        removals.set(key, { ...removal, deleted, floor });
      }
    },
  };
}

function isSame({ uid }: Removal, { metadata }: KubernetesObject): boolean {
  return uid !== undefined && uid === metadata.uid;
}

function isDeleted(removal: Removal, object: KubernetesObject): boolean {
  return removal.deleted && isSame(removal, object);
}
