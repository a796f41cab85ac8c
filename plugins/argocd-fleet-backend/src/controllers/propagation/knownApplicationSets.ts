import {
  HOSTING_APPLICATION_SET_ANNOTATION,
  type ArgoApplication,
  type KubernetesObject,
  type ManifestWork,
  type OwnerReference,
} from 'backstage-plugin-argocd-fleet-common';
import {
  inDatabase,
  type KnownApplicationSet,
  type RemovalStore,
} from '../../database';
import { yieldToEventLoop } from '../../async';
import type { FleetCache } from '../../fleet';
import { objectKey, parseKey } from '../../kubernetes/client';
import {
  applicationSetReference,
  hubApplicationOf,
} from '../../model/delivery';

/**
 * Which ApplicationSets the hub has had. The deletion of one is an order to delete the works of its Applications; that an
 * Application names an owner which the hub never had is none: it was restored, and will be collected as garbage.
 */
export interface KnownApplicationSets {
  /** Must be called at the beginning of each run. */
  prepare(hubUid: string): Promise<void>;
  /** Records the owner of an Application before anything is decided by it. Undefined where it is known. */
  record(
    application: ArgoApplication,
    works: readonly ManifestWork[],
  ): Promise<void> | undefined;
  /**
   * Whether the hub had the ApplicationSet and has it no more; false where the hub cannot be told from another one.
   * @param key - its `<namespace>/<name>`
   * @param uid - its UID; undefined if nobody knows it any more
   */
  wasDeleted(key: string, uid: string | undefined): boolean;
}

/** An owner reference may contain any text. */
const MAX_UID = 64;

/** So many are forgotten at the beginning of a run. */
const FORGOTTEN_AT_ONCE = 500;

function toKnown({ metadata }: KubernetesObject): KnownApplicationSet {
  const { uid = '' } = metadata;
  return { applicationSet: objectKey(metadata), uid, seen: true };
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

  /** Drops what can decide about no work any more: each ApplicationSet that ever was would stay for ever. */
  async function forgetUnneeded() {
    if (!hubUid || !cache.isKnown('applicationSets')) {
      return;
    }
    const unneeded: KnownApplicationSet[] = [];
    for (const [applicationSet, uids] of [...known]) {
      const isNeeded = neededOf(applicationSet);
      for (const [uid, seen] of uids) {
        if (!isNeeded(uid)) {
          unneeded.push({ applicationSet, uid, seen });
        }
      }
      // All works of the hub are looked at.
      await yieldToEventLoop();
    }
    const forgotten = unneeded.slice(0, FORGOTTEN_AT_ONCE);
    await inDatabase(store.deleteApplicationSets(hub, hubUid, forgotten));
    for (const { applicationSet, uid } of forgotten) {
      const uids = known.get(applicationSet)!;
      uids.delete(uid);
      if (uids.size === 0) {
        known.delete(applicationSet);
      }
    }
  }

  /** Which UIDs of an ApplicationSet may decide about a work. Where one is missing, deletions are counted. */
  function neededOf(key: string): (uid: string) => boolean {
    const isOwnerUnknown = cache.works.by('applicationSet', key).some(work => {
      const name = hubApplicationOf(work);
      const application = name && cache.applications.get(objectKey(name));
      return !application || !applicationSetReference(application);
    });
    const uids = new Set(
      cache.applications
        .by('applicationSet', key)
        .map(application => applicationSetReference(application)?.uid),
    );
    uids.add(cache.applicationSets.get(key)?.metadata.uid);
    return uid => isOwnerUnknown || uids.has(uid);
  }

  async function save(sets: readonly KnownApplicationSet[]) {
    const distinct = new Map(
      sets.map(each => [`${each.applicationSet}/${each.uid}`, each]),
    );
    await inDatabase(
      store.saveApplicationSets(hub, hubUid, [...distinct.values()]),
    );
    sets.forEach(set);
    unsaved = unsaved.filter(each => !sets.includes(each));
  }

  function ofOwner(
    namespace: string | undefined,
    { name, uid }: OwnerReference,
  ): KnownApplicationSet | undefined {
    const applicationSet = objectKey({ namespace, name });
    if (known.get(applicationSet)?.get(uid) || uid.length > MAX_UID) {
      return undefined;
    }
    const exists =
      cache.applicationSets.get(applicationSet)?.metadata.uid === uid;
    return { applicationSet, uid, seen: exists };
  }

  /** Its ApplicationSet was deleted without it: that was no order for its work. */
  function withoutOwner(
    namespace: string | undefined,
    works: readonly ManifestWork[],
  ): KnownApplicationSet | undefined {
    // The annotation may be an agent's: others are not known anyway.
    const applicationSet = works
      .map(
        ({ metadata }) =>
          metadata.annotations?.[HOSTING_APPLICATION_SET_ANNOTATION] ?? '',
      )
      .find(key => known.has(key) && parseKey(key).namespace === namespace);
    return applicationSet === undefined
      ? undefined
      : { applicationSet, uid: '', seen: false };
  }

  return {
    async prepare(uid) {
      hubUid = uid;
      known.clear();
      (await inDatabase(store.applicationSets(hub, hubUid))).forEach(set);
      const fresh = Array.from(cache.applicationSets.list(), toKnown).filter(
        ({ applicationSet, uid: own }) => !known.get(applicationSet)?.get(own),
      );
      if (fresh.length > 0) {
        await save(fresh);
      }
      await forgetUnneeded();
    },
    record(application, works) {
      const owner = applicationSetReference(application);
      const found = owner
        ? ofOwner(application.metadata.namespace, owner)
        : withoutOwner(application.metadata.namespace, works);
      const isNew =
        found !== undefined &&
        known.get(found.applicationSet)?.get(found.uid) !== found.seen;
      return cache.isKnown('applicationSets') && (isNew || unsaved.length > 0)
        ? save(isNew ? [found, ...unsaved] : unsaved)
        : undefined;
    },
    wasDeleted(key, uid) {
      const uids = known.get(key);
      if (!uids || !hubUid || !cache.isKnown('applicationSets')) {
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
