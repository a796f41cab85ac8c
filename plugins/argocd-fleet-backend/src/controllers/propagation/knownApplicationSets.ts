import type {
  ArgoApplication,
  OwnerReference,
} from 'backstage-plugin-argocd-fleet-common';
import type { KnownApplicationSet, RemovalStore } from '../../database';
import type { FleetCache } from '../../fleet';
import { objectKey } from '../../kubernetes/client';
import { applicationSetReference } from '../../model/delivery';
import { inDatabase } from './inDatabase';

/**
 * Which ApplicationSets the hub has had. The deletion of one is an order to delete the works of its Applications; that an
 * Application names an owner which the hub never had is none: it was restored, and will be collected as garbage.
 */
export interface KnownApplicationSets {
  /** Must be called at the beginning of each run. */
  prepare(hubUid: string): Promise<void>;
  /** Records the owner of an Application before anything is decided by it. */
  record(application: ArgoApplication): Promise<void>;
  /**
   * Whether the hub had the ApplicationSet and has it no more.
   * @param key - its `<namespace>/<name>`
   * @param uid - its UID; undefined if nobody knows it any more
   */
  wasDeleted(key: string, uid: string | undefined): boolean;
}

/** Creates the record of one hub. */
export function createKnownApplicationSets(options: {
  readonly cache: FleetCache;
  readonly store: RemovalStore;
}): KnownApplicationSets {
  const { cache, store } = options;
  const { hub } = cache;
  let hubUid = '';
  /** Whether the hub had it, by key and UID. */
  const known = new Map<string, Map<string, boolean>>();
  let unsaved: KnownApplicationSet[] = [];

  // An Application may be watched a moment before the ApplicationSet that it names.
  cache.onChange(({ resource, key, after }) => {
    const uid =
      resource === 'applicationSets' ? after?.metadata.uid : undefined;
    if (uid !== undefined && known.get(key)?.get(uid) === false) {
      const found = { applicationSet: key, uid, seen: true };
      set(found);
      unsaved.push(found);
    }
  });

  function set({ applicationSet, uid, seen }: KnownApplicationSet) {
    const uids = known.get(applicationSet) ?? new Map<string, boolean>();
    uids.set(uid, seen);
    known.set(applicationSet, uids);
  }

  async function save(sets: readonly KnownApplicationSet[]) {
    const fresh = sets.filter(
      ({ applicationSet, uid, seen }) =>
        known.get(applicationSet)?.get(uid) !== seen,
    );
    if (fresh.length > 0) {
      await inDatabase(store.saveApplicationSets(hub, hubUid, fresh));
      fresh.forEach(set);
    }
  }

  function ofOwner(
    namespace: string | undefined,
    { name, uid }: OwnerReference,
  ): KnownApplicationSet | undefined {
    const applicationSet = objectKey({ namespace, name });
    if (known.get(applicationSet)?.get(uid)) {
      return undefined;
    }
    const exists =
      cache.applicationSets.get(applicationSet)?.metadata.uid === uid;
    return { applicationSet, uid, seen: exists };
  }

  return {
    async prepare(uid) {
      hubUid = uid;
      known.clear();
      (await inDatabase(store.applicationSets(hub, hubUid))).forEach(set);
    },
    async record(application) {
      const owner = applicationSetReference(application);
      const found = owner && ofOwner(application.metadata.namespace, owner);
      if (found && cache.isKnown('applicationSets')) {
        await save([found]);
      }
      if (unsaved.length > 0) {
        const late = unsaved;
        await inDatabase(store.saveApplicationSets(hub, hubUid, late));
        unsaved = unsaved.filter(each => !late.includes(each));
      }
    },
    wasDeleted(key, uid) {
      const uids = known.get(key);
      if (!uids || !cache.isKnown('applicationSets')) {
        return false;
      }
      const now = cache.applicationSets.get(key);
      if (now && !now.metadata.deletionTimestamp) {
        return false;
      }
      if (now) {
        return uid === undefined || uid === now.metadata.uid;
      }
      return uid === undefined
        ? [...uids.values()].every(seen => seen)
        : uids.get(uid) === true;
    },
  };
}
