import {
  type KubernetesObject,
  type ArgoApplication,
  type ManifestWork,
  type Release,
} from 'backstage-plugin-argocd-fleet-common';
import { steadyNow } from '../../async';
import {
  inDatabase,
  type RemovalStore,
  type StoredOrder,
} from '../../database';
import { worksOfOwner, type FleetCache } from '../../fleet';
import { objectKey } from '../../kubernetes/client';
import { applicationSetReference } from '../../model/delivery';
import { ORDER_MS, releaseOf, releasing } from '../../model/removal';

/** What people have ordered by the annotation of an ApplicationSet, or of an Application that no set generates. */
export interface ReleaseOrders {
  /** Must be called at the beginning of each run. */
  prepare(): Promise<void>;
  /**
   * Stores and ends orders as the annotations on the hub say; must be called before works are created. Undefined where
   * there is nothing to do.
   */
  update(): Promise<void> | undefined;
  /**
   * Must be called where an object has changed, also between two runs: it may be gone before the order is stored.
   * @param before - undefined where the object is new
   * @param after - undefined where it is gone
   */
  observe(
    kind: 'ApplicationSet' | 'Application',
    before: KubernetesObject | undefined,
    after: KubernetesObject | undefined,
  ): void;
  /** What is ordered for a work; undefined if nothing is. */
  orderFor(work: ManifestWork): StoredOrder | undefined;
  /** Changes with each order. */
  readonly revision: number;
}

interface Said {
  /** UID of the annotated object. */
  readonly uid: string;
  readonly release: Release | undefined;
}

/** What this replica saw last: while another one runs, it may not be stored for long. */
interface Sighting extends Said {
  /** Milliseconds since the epoch. */
  readonly seenAt: number;
  /** UIDs of the works that there were then; undefined until works are listed. */
  readonly works?: readonly string[];
}

/** Creates the orders of one hub. */
export function createReleaseOrders(options: {
  readonly cache: FleetCache;
  readonly store: RemovalStore;
}): ReleaseOrders {
  const { cache, store } = options;
  const { hub } = cache;
  const orders = new Map<string, StoredOrder>();
  /** By UID of each work that they cover: thousands, of which each is looked up. */
  const ordersOf = new Map<string, readonly StoredOrder[]>();
  /** Of objects that are or were annotated, by owner. */
  const sightings = new Map<string, Sighting>();
  /** Owners whose orders may have to be stored or ended. */
  const dirty = new Set<string>();
  let revision = 0;

  function objectOf(owner: string): KubernetesObject | undefined {
    const [kind, key] = splitOwner(owner);
    return kind === 'ApplicationSet'
      ? cache.applicationSets.get(key)
      : cache.applications.get(key);
  }

  /** Argo CD's controller replaces the annotations of those that a set generates, and may have copied this one there. */
  function saidBy(owner: string, object: KubernetesObject): Said {
    const { uid = '' } = object.metadata;
    const isGenerated =
      owner.startsWith('Application/') &&
      applicationSetReference(object as ArgoApplication) !== undefined;
    return { uid, release: isGenerated ? undefined : releaseOf(object) };
  }

  function worksOf(owner: string): readonly string[] {
    return worksOfOwner(cache, ...splitOwner(owner)).flatMap(
      work => work.metadata.uid ?? [],
    );
  }

  async function updateOwner(owner: string) {
    const object = objectOf(owner);
    const seen = sightings.get(owner);
    const known = orders.get(owner);
    if (!object && known && known.orderedAt >= (seen?.seenAt ?? 0)) {
      // It still holds for the works that are left. Another replica may have seen what was said later.
      if (isOver(known)) {
        await end(owner);
      }
      return;
    }
    const said = object ? saidBy(owner, object) : seen;
    if (!said || (known && isEqual(known, said))) {
      return;
    }
    const { uid, release } = said;
    if (known && known.uid !== uid && !release && !isOver(known)) {
      // Another object of that name takes nothing back: the order still holds for the works that are left.
      return;
    }
    // Where a person sees it on the object, it does not matter when this replica saw it.
    const orderedAt = object || !seen ? Math.round(steadyNow()) : seen.seenAt;
    if (release && !isOver({ orderedAt })) {
      const works =
        (seen && isEqual(seen, said) && seen.works) || worksOf(owner);
      const order = { owner, uid, release, orderedAt, works };
      await inDatabase(store.saveOrder(hub, order));
      remember(order);
      revision += 1;
    } else if (known) {
      await end(owner);
    }
  }

  /** Forgets what says nothing any more: nobody must store it later. */
  function forgetSightings() {
    for (const [owner, { seenAt }] of sightings) {
      const object = objectOf(owner);
      if (
        object ? !saidBy(owner, object).release : isOver({ orderedAt: seenAt })
      ) {
        sightings.delete(owner);
      }
    }
  }

  function remember(order: StoredOrder) {
    forget(order.owner);
    orders.set(order.owner, order);
    for (const uid of order.works) {
      ordersOf.set(uid, [...(ordersOf.get(uid) ?? []), order]);
    }
  }

  function forget(owner: string) {
    for (const uid of orders.get(owner)?.works ?? []) {
      const others = ordersOf.get(uid)?.filter(each => each.owner !== owner);
      if (others?.length) {
        ordersOf.set(uid, others);
      } else {
        ordersOf.delete(uid);
      }
    }
    orders.delete(owner);
  }

  async function end(owner: string) {
    await inDatabase(store.deleteOrder(hub, owner));
    forget(owner);
    revision += 1;
  }

  let updating: Promise<void> | undefined;

  async function updateAll() {
    for (const owner of dirty) {
      if (
        owner.startsWith('ApplicationSet/') &&
        !cache.isKnown('applicationSets')
      ) {
        // What is not listed yet would look as if it had just been annotated, or as if it were gone.
        continue;
      }
      // First: it may change again meanwhile.
      dirty.delete(owner);
      try {
        await updateOwner(owner);
      } catch (error) {
        dirty.add(owner);
        throw error;
      }
    }
  }

  /** By UID alone: the ApplicationSet that a work names changes with its Application, or is taken off by its agent. */
  function lastOrderOf({ metadata }: ManifestWork): StoredOrder | undefined {
    return ordersOf
      .get(metadata.uid ?? '')
      ?.reduce((last, each) => (each.orderedAt > last.orderedAt ? each : last));
  }

  return {
    async prepare() {
      orders.clear();
      ordersOf.clear();
      for (const order of await inDatabase(store.orders(hub))) {
        // The clock of another replica may have been ahead.
        const orderedAt = Math.min(order.orderedAt, Math.round(steadyNow()));
        remember({ ...order, orderedAt });
        dirty.add(order.owner);
      }
      forgetSightings();
      for (const [owner, seen] of sightings) {
        // Objects that were listed before the works were.
        sightings.set(owner, { ...seen, works: seen.works ?? worksOf(owner) });
        dirty.add(owner);
      }
      await updateAll();
    },
    update() {
      if (dirty.size > 0 && !updating) {
        updating = updateAll().finally(() => {
          updating = undefined;
        });
      }
      return updating;
    },
    observe(kind, before, after) {
      if (before && !after) {
        // What it said last holds, but one for no works is none: any number of objects may come and go.
        const owner = `${kind}/${objectKey(before.metadata)}`;
        const seen = sightings.get(owner);
        if (seen?.release && seen.works?.length === 0) {
          sightings.delete(owner);
        }
      }
      if (!after || (before && isSameAnnotation(before, after))) {
        return;
      }
      const owner = `${kind}/${objectKey(after.metadata)}`;
      const { uid, release } = saidBy(owner, after);
      if (release || sightings.has(owner) || orders.has(owner)) {
        sightings.set(owner, {
          uid,
          release,
          seenAt: Math.round(steadyNow()),
          ...(cache.isKnown('works') && { works: worksOf(owner) }),
        });
        dirty.add(owner);
      }
    },
    orderFor(work) {
      const order = lastOrderOf(work);
      return order && (releasing(work) === order.release || !isOver(order))
        ? order
        : undefined;
    },
    get revision() {
      return revision;
    },
  };
}

function isSameAnnotation(before: KubernetesObject, after: KubernetesObject) {
  return (
    before.metadata.uid === after.metadata.uid &&
    releaseOf(before) === releaseOf(after)
  );
}

function isEqual(one: Said, other: Said): boolean {
  return one.uid === other.uid && one.release === other.release;
}

function isOver({ orderedAt }: Pick<StoredOrder, 'orderedAt'>): boolean {
  return orderedAt <= steadyNow() - ORDER_MS;
}

function splitOwner(owner: string): [kind: string, key: string] {
  const end = owner.indexOf('/');
  return [owner.slice(0, end), owner.slice(end + 1)];
}
