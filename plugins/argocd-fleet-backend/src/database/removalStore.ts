import type { Release } from 'backstage-plugin-argocd-fleet-common';
import type { Knex } from 'knex';
import type { Wish } from '../model/removal';

/** What a person has ordered for the works of an ApplicationSet or of an Application. */
export interface StoredOrder {
  /** `<kind>/<namespace>/<name>` of the annotated object. */
  readonly owner: string;
  /** UID of the annotated object. */
  readonly uid: string;
  readonly release: Release;
  /** Milliseconds since the epoch. */
  readonly orderedAt: number;
  /** UIDs of the works that it covers. */
  readonly works: readonly string[];
}

/** The UID of an ApplicationSet. */
export interface KnownApplicationSet {
  /** `<namespace>/<name>`. */
  readonly applicationSet: string;
  readonly uid: string;
  /** Whether the hub had it; otherwise only Applications named it as their owner. */
  readonly seen: boolean;
}

/** What decides about the deletion of works, over restarts and for all replicas. All methods reject if the database fails. */
export interface RemovalStore {
  wishes(hub: string): Promise<Wish[]>;
  /** Stores new wishes and new states of known ones; one that is held already stays as it is. */
  saveWishes(hub: string, wishes: readonly Wish[]): Promise<void>;
  deleteWishes(hub: string, uids: readonly string[]): Promise<void>;
  orders(hub: string): Promise<StoredOrder[]>;
  /** Replaces the order of the same owner. */
  saveOrder(hub: string, order: StoredOrder): Promise<void>;
  deleteOrder(hub: string, owner: string): Promise<void>;
  /** @param hubUid - identifies the hub: after it was replaced, what was seen before does not count */
  applicationSets(hub: string, hubUid: string): Promise<KnownApplicationSet[]>;
  saveApplicationSets(
    hub: string,
    hubUid: string,
    sets: readonly KnownApplicationSet[],
  ): Promise<void>;
  deleteApplicationSets(
    hub: string,
    hubUid: string,
    sets: readonly KnownApplicationSet[],
  ): Promise<void>;
}

/** Rows of one statement: SQLite allows 32,766 values. */
const CHUNK = 500;

/** Creates the store; the database must be migrated. */
export function createRemovalStore(knex: Knex): RemovalStore {
  return {
    async wishes(hub) {
      const rows = await knex('work_removals').where({ hub });
      return rows.map(row => ({
        uid: row.uid,
        work: row.work,
        application: row.application,
        applicationSet: row.application_set ?? undefined,
        wantedAt: Number(row.wanted_at),
        state: row.state,
        decidedAt: row.decided_at === null ? undefined : Number(row.decided_at),
        heldFor: row.held_for ?? undefined,
        ...(row.was_withheld && { wasWithheld: true }),
      }));
    },
    async saveWishes(hub, wishes) {
      for (const chunk of chunksOf(wishes)) {
        await knex('work_removals')
          .insert(
            chunk.map(wish => ({
              hub,
              uid: wish.uid,
              work: wish.work,
              application: wish.application,
              application_set: wish.applicationSet ?? null,
              wanted_at: wish.wantedAt,
              state: wish.state,
              decided_at: wish.decidedAt ?? null,
              held_for: wish.heldFor ?? null,
              was_withheld: wish.wasWithheld ?? false,
            })),
          )
          .onConflict(['hub', 'uid'])
          .merge()
          // A late write of a replica that has been taken over must not let go what is held.
          .whereNot('work_removals.state', 'held');
      }
    },
    async deleteWishes(hub, uids) {
      for (const chunk of chunksOf(uids)) {
        await knex('work_removals')
          .where({ hub })
          .whereIn('uid', chunk)
          .delete();
      }
    },
    async orders(hub) {
      const rows = await knex('work_releases').where({ hub });
      return rows.map(row => ({
        owner: row.owner,
        uid: row.uid,
        release: row.release,
        orderedAt: Number(row.ordered_at),
        works: JSON.parse(row.works),
      }));
    },
    async saveOrder(hub, { owner, uid, release, orderedAt, works }) {
      await knex('work_releases')
        .insert({
          hub,
          owner,
          uid,
          release,
          ordered_at: orderedAt,
          works: JSON.stringify(works),
        })
        .onConflict(['hub', 'owner'])
        .merge();
    },
    async deleteOrder(hub, owner) {
      await knex('work_releases').where({ hub, owner }).delete();
    },
    async applicationSets(hub, hubUid) {
      const rows = await knex('known_application_sets').where({
        hub,
        hub_uid: hubUid,
      });
      return rows.map(row => ({
        applicationSet: row.application_set,
        uid: row.uid,
        seen: Boolean(row.seen),
      }));
    },
    async saveApplicationSets(hub, hubUid, sets) {
      for (const chunk of chunksOf(sets)) {
        const insert = (seen: boolean) =>
          knex('known_application_sets')
            .insert(
              chunk
                .filter(each => each.seen === seen)
                .map(({ applicationSet, uid }) => ({
                  hub,
                  hub_uid: hubUid,
                  application_set: applicationSet,
                  uid,
                  seen,
                })),
            )
            .onConflict(['hub', 'application_set', 'uid', 'hub_uid']);
        if (chunk.some(({ seen }) => seen)) {
          await insert(true).merge(['seen']);
        }
        if (chunk.some(({ seen }) => !seen)) {
          // What the hub has had once, it has had.
          await insert(false).ignore();
        }
      }
    },
    async deleteApplicationSets(hub, hubUid, sets) {
      for (const { applicationSet, uid } of sets) {
        await knex('known_application_sets')
          .where({ hub, hub_uid: hubUid, application_set: applicationSet, uid })
          .delete();
      }
    },
  };
}

/** A store that lasts as long as the process, where there is no database. */
export function createMemoryRemovalStore(): RemovalStore {
  const wishes = new Map<string, Wish>();
  const orders = new Map<string, StoredOrder>();
  const sets = new Map<string, KnownApplicationSet>();
  return {
    wishes: async () => [...wishes.values()],
    async saveWishes(_, saved) {
      saved.forEach(wish => wishes.set(wish.uid, wish));
    },
    async deleteWishes(_, uids) {
      uids.forEach(uid => wishes.delete(uid));
    },
    orders: async () => [...orders.values()],
    async saveOrder(_, order) {
      orders.set(order.owner, order);
    },
    async deleteOrder(_, owner) {
      orders.delete(owner);
    },
    applicationSets: async () => [...sets.values()],
    async saveApplicationSets(_hub, hubUid, saved) {
      saved.forEach(set =>
        sets.set(`${hubUid}/${set.applicationSet}/${set.uid}`, set),
      );
    },
    async deleteApplicationSets(_hub, hubUid, deleted) {
      deleted.forEach(({ applicationSet, uid }) =>
        sets.delete(`${hubUid}/${applicationSet}/${uid}`),
      );
    },
  };
}

function* chunksOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += CHUNK) {
    yield items.slice(start, start + CHUNK);
  }
}
