import {
  HOSTING_APPLICATION_SET_ANNOTATION,
  type KubernetesObject,
  type ArgoApplication,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { steadyNow } from '../../async';
import {
  inDatabase,
  type RemovalStore,
  type StoredOrder,
} from '../../database';
import type { FleetCache } from '../../fleet';
import { objectKey } from '../../kubernetes/client';
import {
  applicationSetReference,
  hubApplicationOf,
} from '../../model/delivery';
import { releaseOf, releasing } from '../../model/removal';

/**
 * Milliseconds for which an order waits for a work that still delivers. One that was left behind must not be carried out
 * when somebody changes the label by mistake a year later.
 */
const ORDER_MS = 3_600_000;

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
   * Must be called where the annotation has changed.
   * @param object - as it was last seen with it: it may be gone before the order is stored
   */
  observe(
    kind: 'ApplicationSet' | 'Application',
    object: KubernetesObject,
  ): void;
  /** What is ordered for a work; undefined if nothing is. */
  orderFor(work: ManifestWork): StoredOrder | undefined;
  /** Changes with each order. */
  readonly revision: number;
}

/** Creates the orders of one hub. */
export function createReleaseOrders(options: {
  readonly cache: FleetCache;
  readonly store: RemovalStore;
}): ReleaseOrders {
  const { cache, store } = options;
  const { hub } = cache;
  const orders = new Map<string, StoredOrder>();
  /** UIDs of the works of each order: thousands, of which each is looked up. */
  const coveredBy = new Map<string, ReadonlySet<string>>();
  /** Annotated objects to look at, as they were last seen. */
  const dirty = new Map<string, KubernetesObject | undefined>();
  let revision = 0;

  function objectOf(
    owner: string,
    lastSeen: KubernetesObject | undefined,
  ): KubernetesObject | undefined {
    const [kind, key] = splitOwner(owner);
    if (kind === 'ApplicationSet') {
      return cache.applicationSets.get(key) ?? lastSeen;
    }
    const application =
      cache.applications.get(key) ?? (lastSeen as ArgoApplication | undefined);
    // Argo CD's controller replaces the annotations of those that a set generates, and may have copied this one there.
    return application && !applicationSetReference(application)
      ? application
      : undefined;
  }

  function worksOf(owner: string): readonly ManifestWork[] {
    const [kind, key] = splitOwner(owner);
    const [namespace] = key.split('/');
    return cache.works
      .by(kind === 'ApplicationSet' ? 'applicationSet' : 'hubApplication', key)
      .filter(work => hubApplicationOf(work)?.namespace === namespace);
  }

  async function updateOwner(
    owner: string,
    lastSeen: KubernetesObject | undefined,
  ) {
    const object = objectOf(owner, lastSeen);
    const known = orders.get(owner);
    if (!object) {
      // An order of an object that is gone still holds for the works that it left behind.
      if (known && isOver(known)) {
        await end(owner);
      }
      return;
    }
    const release = releaseOf(object);
    const { uid = '' } = object.metadata;
    if (known && (known.uid !== uid || known.release !== release)) {
      await end(owner);
    }
    if (release && !orders.has(owner)) {
      const order = {
        owner,
        uid,
        release,
        orderedAt: Math.round(steadyNow()),
        works: worksOf(owner).flatMap(work => work.metadata.uid ?? []),
      };
      await inDatabase(store.saveOrder(hub, order));
      remember(order);
      revision += 1;
    }
  }

  function remember(order: StoredOrder) {
    orders.set(order.owner, order);
    coveredBy.set(order.owner, new Set(order.works));
  }

  async function end(owner: string) {
    await inDatabase(store.deleteOrder(hub, owner));
    orders.delete(owner);
    coveredBy.delete(owner);
    revision += 1;
  }

  let updating: Promise<void> | undefined;

  async function updateAll() {
    for (const [owner, lastSeen] of dirty) {
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
        await updateOwner(owner, lastSeen);
      } catch (error) {
        if (!dirty.has(owner)) {
          dirty.set(owner, lastSeen);
        }
        throw error;
      }
    }
  }

  function covering(work: ManifestWork): StoredOrder | undefined {
    const { uid = '', annotations } = work.metadata;
    const application = hubApplicationOf(work);
    const set = annotations?.[HOSTING_APPLICATION_SET_ANNOTATION];
    const owners = [
      ...(set ? [`ApplicationSet/${set}`] : []),
      ...(application ? [`Application/${objectKey(application)}`] : []),
    ];
    const owner = owners.find(each => coveredBy.get(each)?.has(uid));
    return owner === undefined ? undefined : orders.get(owner);
  }

  return {
    async prepare() {
      orders.clear();
      coveredBy.clear();
      for (const order of await inDatabase(store.orders(hub))) {
        // The clock of another replica may have been ahead.
        const orderedAt = Math.min(order.orderedAt, Math.round(steadyNow()));
        remember({ ...order, orderedAt });
        dirty.set(order.owner, dirty.get(order.owner));
      }
      for (const set of cache.applicationSets.list()) {
        if (releaseOf(set)) {
          dirty.set(`ApplicationSet/${objectKey(set.metadata)}`, set);
        }
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
    observe(kind, object) {
      dirty.set(`${kind}/${objectKey(object.metadata)}`, object);
    },
    orderFor(work) {
      const order = covering(work);
      return order && (releasing(work) === order.release || !isOver(order))
        ? order
        : undefined;
    },
    get revision() {
      return revision;
    },
  };
}

function isOver({ orderedAt }: StoredOrder): boolean {
  return orderedAt <= steadyNow() - ORDER_MS;
}

function splitOwner(owner: string): [kind: string, key: string] {
  const end = owner.indexOf('/');
  return [owner.slice(0, end), owner.slice(end + 1)];
}
