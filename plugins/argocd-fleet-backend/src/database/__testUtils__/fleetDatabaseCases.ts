import type {
  ClusterApplication,
  HealthStatus,
  ObjectRef,
  Transition,
} from 'backstage-plugin-argocd-fleet-common';
import { randomBytes } from 'node:crypto';
import { waitFor } from '../../__testUtils__/waitFor';
import {
  applicationRecord,
  recordChange,
} from '../../model/status/applicationRecord';
import { NO_ROUND } from '../answerStore';
import type { CountedKind } from '../fleetCounts';
import { fleetDatabaseOn } from '../fleetDatabase';
import { TakenOverError } from '../fleetRecords';
import type { TimelineKind, VisibleSets } from '../timelines';
import { HUB, NAMESPACE, NOON, row, SET, startWriter } from './records';
import { MIGRATIONS, type TestDatabase } from './testDatabase';

const DAY = 24 * 3_600_000;

/**
 * What the fleet model does in any database that it is made for, by what it is.
 * @param opened - the database of the case that runs, up to date and empty
 */
export function fleetDatabaseCases(
  opened: () => TestDatabase,
): Readonly<Record<string, () => Promise<void>>> {
  const database = () => fleetDatabaseOn(opened().knex);

  async function timeline(
    kind: TimelineKind = 'applicationSet',
    ref: Partial<ObjectRef> = {},
    limit = 1000,
  ): Promise<Transition[]> {
    const named = { hub: HUB, namespace: NAMESPACE, name: SET, ...ref };
    const items: Transition[] = [];
    for (let before: string | undefined; ;) {
      const page = await database().timelines.transitions(
        { kind, ref: named },
        { limit, before },
      );
      expect(page.items.length).toBeLessThanOrEqual(limit);
      items.push(...page.items);
      before = page.next;
      if (!before) {
        return items;
      }
    }
  }

  /** All that stands in a table, as SQL has it. */
  const rowsOf = (table: string) => opened().knex(table).select();

  return {
    async 'migrates step by step, down, and up again'() {
      const { knex } = opened();
      const tables = async () => {
        const found = [];
        for (const table of [
          'fleet_hubs',
          'fleet_applications',
          'fleet_transitions',
        ]) {
          found.push(await knex.schema.hasTable(table));
        }
        return found;
      };
      await knex.migrate.rollback(MIGRATIONS, true);
      expect(await tables()).toEqual([false, false, false]);
      for (;;) {
        const [, [applied]] = await knex.migrate.up(MIGRATIONS);
        if (!applied) {
          break;
        }
        await knex.migrate.down(MIGRATIONS);
        await knex.migrate.up(MIGRATIONS);
      }
      expect(await tables()).toEqual([true, true, true]);
      const writer = await startWriter(database());
      expect(await writer.record([row('a')])).toBe(1);
    },

    async 'keeps records through migrations'() {
      const { knex } = opened();
      const writer = await startWriter(database());
      await writer.record([row('a', { revision: 'abc' }), row('b')]);
      await writer.record([row('a', { revision: 'abcd' })], NOON + 1);
      const recorded = await timeline();
      await knex.migrate.down(MIGRATIONS);
      await knex.migrate.latest(MIGRATIONS);
      expect(await timeline()).toEqual(recorded);
      const next = await startWriter(database());
      expect(next.known).toEqual(writer.known);
      expect(await next.record([row('a', { revision: 'abcd' })])).toBe(0);
    },

    async 'records one transition for each change of the state, and none for other changes'() {
      const writer = await startWriter(database());
      const states: Partial<ClusterApplication>[] = [
        { health: 'Progressing', sync: 'OutOfSync' },
        { health: 'Progressing', sync: 'OutOfSync', phase: 'Running' },
        { health: 'Progressing', phase: 'Succeeded', revision: 'abc' },
        { health: 'Degraded', revision: 'abc', error: 'no such image' },
        { health: 'Degraded', revision: 'abc', error: 'no such image: 2' },
        // Nothing but what stands beside it:
        {
          ...{ health: 'Degraded', revision: 'abc', error: 'no such image: 2' },
          images: ['nginx:1'],
        },
      ];
      for (const [index, state] of states.entries()) {
        expect(await writer.record([row('a', state)], NOON + index)).toBe(1);
        expect(await writer.record([row('a', state)], NOON + index)).toBe(0);
      }
      const transitions = await timeline();
      expect(
        transitions.map(({ sequence, health, error }) => [
          sequence,
          health,
          error,
        ]),
      ).toEqual([
        [5, 'Degraded', 'no such image: 2'],
        [4, 'Degraded', 'no such image'],
        [3, 'Progressing', undefined],
        [2, 'Progressing', undefined],
        [1, 'Progressing', undefined],
      ]);
      expect(transitions[1]).toEqual({
        application: { namespace: NAMESPACE, name: 'a' },
        applicationSet: SET,
        cluster: 'one',
        sequence: 4,
        at: new Date(NOON + 3).toISOString(),
        recordedAt: new Date(NOON + 3).toISOString(),
        health: 'Degraded',
        sync: 'Synced',
        revision: 'abc',
        error: 'no such image',
        previous: {
          ...{ health: 'Progressing', sync: 'Synced' },
          ...{ phase: 'Succeeded', revision: 'abc' },
        },
      });
      expect(transitions[4].previous).toBeUndefined();
      const [application] = await rowsOf('fleet_applications');
      expect(JSON.parse(application.details)).toEqual({
        conditions: [],
        resources: [{ kind: 'Service', name: 'guestbook' }],
        images: ['nginx:1'],
      });
    },

    async 'does not write unchanged details'() {
      const writer = await startWriter(database());
      await writer.record([row('a'), row('b')]);
      await opened()
        .knex('fleet_applications')
        .update({ details: 'untouched' });
      await writer.record([
        row('a', { health: 'Degraded' }),
        row('b', { health: 'Degraded', images: ['nginx:2'] }),
      ]);
      const details = await opened()
        .knex('fleet_applications')
        .orderBy('name')
        .pluck('details');
      expect(details[0]).toBe('untouched');
      expect(JSON.parse(details[1])).toMatchObject({ images: ['nginx:2'] });
    },

    async 'continues the history of an Application that was gone'() {
      const writer = await startWriter(database());
      await writer.record([row('a')], NOON);
      await writer.markGone('a', NOON + 1000);
      expect(await rowsOf('fleet_applications')).toMatchObject([{ name: 'a' }]);
      const next = await startWriter(database());
      expect([...next.known]).toEqual([]);
      await next.record([row('a')], NOON - 5000);
      expect((await timeline()).map(({ sequence }) => sequence)).toEqual([
        2, 1,
      ]);
      expect(await rowsOf('fleet_applications')).toMatchObject([
        { name: 'a', gone_at: null },
      ]);
      const [again, first] = await timeline();
      expect(again.at).toBe(first.at);
    },

    async 'loads for the next writer exactly the records of this one'() {
      const nasty = [
        { error: 'nul \0 and half a character \ud83d.', revision: '\udc00' },
        { error: `${'x'.repeat(4095)}😀 and more`.repeat(300) },
        {
          cluster: {
            name: `https://${'y'.repeat(9_000)}`,
            available: 'Unknown',
            stale: false,
          },
        },
        { since: '2026-11-22T10:00:00Z', statusAt: 'yesterday', resources: [] },
        { conditions: [{ type: 'SyncError', message: '\0\ud83d"\'\\' }] },
        {
          cluster: {
            ...{ name: 'two', available: 'Unknown', stale: true },
            staleSince: '2026-11-22T11:00:00Z',
          },
        },
      ] satisfies Partial<ClusterApplication>[];
      const rows = nasty.map((fields, index) => row(`app-${index}`, fields));
      const writer = await startWriter(database());
      expect(await writer.record(rows)).toBe(rows.length);
      const next = await startWriter(database());
      expect(next.known).toEqual(writer.known);
      expect(await next.record(rows)).toBe(0);
    },

    async 'rejects the previous writer, and stores nothing of its changes'() {
      const late = await startWriter(database());
      await late.record([row('a')]);
      const writer = await startWriter(database());
      const other = await startWriter(database(), 'other');
      await expect(
        late.record([row('a', { health: 'Degraded' }), row('b')]),
      ).rejects.toThrow(TakenOverError);
      expect(await writer.record([row('a'), row('b')])).toBe(1);
      expect(await other.record([row('a')])).toBe(1);
      expect((await timeline()).map(each => each.health)).toEqual([
        'Healthy',
        'Healthy',
      ]);
    },

    async 'stores a batch completely or not at all'() {
      const writer = await startWriter(database());
      await writer.record([row('a')]);
      // As after a write of which nobody knew that it was made.
      writer.known.set('a', { ...writer.known.get('a')!, sequence: 0 });
      await expect(
        writer.record([row('b'), row('a', { health: 'Degraded' })]),
      ).rejects.toThrow(/unique/i);
      expect(await rowsOf('fleet_applications')).toMatchObject([
        { name: 'a', health: 'Healthy' },
      ]);
      expect(await timeline()).toHaveLength(1);
    },

    async 'records more Applications than fit into one statement'() {
      const names = Array.from({ length: 1_234 }, (_, index) => `app-${index}`);
      const writer = await startWriter(database());
      await writer.record(names.map(name => row(name)));
      await writer.record(names.map(name => row(name, { health: 'Missing' })));
      const next = await startWriter(database());
      expect(next.known.size).toBe(names.length);
      expect(next.known).toEqual(writer.known);
      const all = await timeline('applicationSet', {}, 100);
      expect(new Set(all.map(each => JSON.stringify(each))).size).toBe(2_468);
      expect(all).toHaveLength(2_468);
    },

    async 'yields to the event loop between statements'() {
      const writer = await startWriter(database());
      let turns = 0;
      let recording = true;
      const count = () => {
        turns += 1;
        if (recording) {
          setImmediate(count);
        }
      };
      setImmediate(count);
      await writer.record(
        Array.from({ length: 500 }, (_, index) => row(`app-${index}`)),
      );
      recording = false;
      // A statement has 100 rows, of Applications or of transitions.
      expect(turns).toBeGreaterThanOrEqual(10);
    },

    async 'reads the timelines of an Application, a set and a cluster, latest first'() {
      const writer = await startWriter(database());
      const other = await startWriter(database(), 'other');
      const on = (name: string) => ({
        cluster: { name, available: 'True', stale: false } as const,
      });
      await writer.record([row('a', on('one')), row('b', on('two'))], NOON);
      await other.record([row('a', on('one'))], NOON + 1);
      await writer.record(
        [row('a', { ...on('one'), health: 'Degraded' })],
        NOON + 2,
      );
      // It moves to another cluster; what happened on the first stays there.
      await writer.record(
        [row('a', { ...on('two'), health: 'Healthy' })],
        NOON + 3,
      );
      const brief = (items: readonly Transition[]) =>
        items.map(
          ({ application, cluster, sequence }) =>
            `${application.name} ${cluster} ${sequence}`,
        );
      const all = ['a two 3', 'a one 2', 'b two 1', 'a one 1'];
      expect(brief(await timeline())).toEqual(all);
      expect(brief(await timeline('application', { name: 'a' }))).toEqual(
        all.filter(each => each.startsWith('a')),
      );
      expect(brief(await timeline('cluster', { name: 'one' }))).toEqual(
        all.filter(each => each.includes('one')),
      );
      expect(
        brief(await timeline('cluster', { hub: 'other', name: 'one' })),
      ).toEqual(['a one 1']);
      for (const [kind, name] of [
        ['application', 'c'],
        ['applicationSet', 'c'],
        ['cluster', 'c'],
      ] as const) {
        expect(await timeline(kind, { name })).toEqual([]);
      }
      for (const limit of [1, 2, 3, 4, 5]) {
        expect(brief(await timeline('applicationSet', {}, limit))).toEqual(all);
      }
    },

    async 'makes pages of what the reader may see'() {
      const writer = await startWriter(database());
      await writer.record(
        ['a', 'b', 'c'].map(name => row(name)),
        NOON,
      );
      await writer.record(
        ['a', 'b', 'c'].map(name => row(name, { health: 'Degraded' })),
        NOON + 1,
      );
      // One is of another ApplicationSet, one of none.
      for (const [name, applicationSet] of [
        ['b', 'other'],
        ['c', null],
      ]) {
        const { knex } = opened();
        await knex('fleet_transitions')
          .whereIn(
            'application_id',
            knex('fleet_applications').where({ name }).select('id'),
          )
          .update({ application_set: applicationSet });
      }
      const { timelines } = database();
      const seen = async (
        kind: TimelineKind,
        name: string,
        visible: VisibleSets,
      ) => {
        const names: string[] = [];
        for (let before: string | undefined; ;) {
          const ref = { hub: HUB, namespace: NAMESPACE, name };
          const page = await timelines.transitions(
            { kind, ref },
            { limit: 1, before },
            visible,
          );
          // With a next page, this one is full: what is hidden takes no place in it.
          expect(!page.next || page.items.length === 1).toBe(true);
          names.push(...page.items.map(item => item.application.name));
          before = page.next;
          if (!before) {
            return names.sort().join('');
          }
        }
      };
      const own: VisibleSets = set => set.name === SET;
      const alone: VisibleSets = set => set.name === undefined;
      const both: VisibleSets = set => set.name !== 'other';
      expect(await seen('cluster', 'one', true)).toBe('aabbcc');
      expect(await seen('cluster', 'one', own)).toBe('aa');
      expect(await seen('cluster', 'one', alone)).toBe('cc');
      expect(await seen('cluster', 'one', both)).toBe('aacc');
      expect(await seen('cluster', 'one', () => false)).toBe('');
      expect(await seen('cluster', 'one', false)).toBe('');
      expect(await seen('application', 'a', own)).toBe('aa');
      expect(await seen('application', 'b', own)).toBe('');
      expect(await seen('applicationSet', SET, own)).toBe('aa');
      expect(await seen('applicationSet', 'other', own)).toBe('');
    },

    async 'keeps what an earlier ApplicationSet by the name did from the readers of the present one'() {
      const earlier = await startWriter(database(), HUB, 'earlier');
      await earlier.record([row('a', { error: 'a secret' }), row('b')]);
      const present = await startWriter(database(), HUB, 'present');
      await present.record([row('a', { health: 'Degraded' })], NOON + 1);
      await present.record([row('a', { health: 'Missing' })], NOON + 2);
      const seen = async (
        kind: TimelineKind,
        name: string,
        visible: VisibleSets,
      ) => {
        const { items } = await database().timelines.transitions(
          { kind, ref: { hub: HUB, namespace: NAMESPACE, name } },
          { limit: 10 },
          visible,
        );
        return items.map(({ health, previous }) => [health, previous?.health]);
      };
      for (const [kind, name] of [
        ['application', 'a'],
        ['applicationSet', SET],
        ['cluster', 'one'],
      ] as const) {
        expect(await seen(kind, name, () => 'present')).toEqual([
          ['Missing', 'Degraded'],
          // What was before it is of the earlier ApplicationSet.
          ['Degraded', undefined],
        ]);
        expect(await seen(kind, name, () => 'another')).toEqual([]);
        const all = await seen(kind, name, true);
        expect(all.slice(0, 2)).toEqual([
          ['Missing', 'Degraded'],
          ['Degraded', 'Healthy'],
        ]);
        expect(await seen(kind, name, () => true)).toEqual(all);
      }
    },

    async 'shows the state before only where its ApplicationSet is the same'() {
      const writer = await startWriter(database());
      await writer.record([row('a', { error: 'a secret' })]);
      await opened()
        .knex('fleet_transitions')
        .update({ application_set: 'other' });
      await writer.record([row('a')], NOON + 1);
      const ref = { hub: HUB, namespace: NAMESPACE, name: 'a' };
      const seen = (visible: VisibleSets) =>
        database().timelines.transitions(
          { kind: 'application', ref },
          { limit: 1 },
          visible,
        );
      const [item] = (await seen(set => set.name === SET)).items;
      expect(item).toMatchObject({ applicationSet: SET, sequence: 2 });
      expect(item.previous).toBeUndefined();
      const [whole] = (await seen(true)).items;
      expect(whole.previous).toMatchObject({ error: 'a secret' });
    },

    async 'rejects a cursor that is not the next of a page'() {
      const ref = { hub: HUB, namespace: '', name: 'one' };
      for (const before of [
        '',
        'x',
        'MTIzNA',
        'LTEuMg',
        '9'.repeat(40),
        '1.1',
      ]) {
        await expect(
          database().timelines.transitions(
            { kind: 'cluster', ref },
            { limit: 1, before },
          ),
        ).rejects.toThrow(
          /"before" must be the value of "next" of the previous page/,
        );
      }
    },

    async 'records a transition when the revision of any of several sources changes'() {
      const writer = await startWriter(database());
      const states: Partial<ClusterApplication>[] = [
        { revisions: ['abc', '1.0.0'] },
        { revisions: ['abc', '1.1.0'] },
        // A list of one revision is the same state as the revision alone.
        { revisions: ['abc'] },
        { revision: 'abc' },
      ];
      const written = [];
      for (const [index, state] of states.entries()) {
        written.push(await writer.record([row('a', state)], NOON + index));
      }
      expect(written).toEqual([1, 1, 1, 0]);
      const first = { revision: 'abc', revisions: ['abc', '1.0.0'] };
      const second = { revision: 'abc', revisions: ['abc', '1.1.0'] };
      const transitions = await timeline();
      expect(transitions).toMatchObject([
        { revision: 'abc', previous: second },
        { ...second, previous: first },
        first,
      ]);
      expect(transitions[0].revisions).toBeUndefined();
      const next = await startWriter(database());
      expect(next.known).toEqual(writer.known);
    },

    async 'removes old transitions, except the last one of each Application, and Applications that are gone for long'() {
      const writer = await startWriter(database());
      const names = Array.from({ length: 700 }, (_, index) => `app-${index}`);
      const all = (health: HealthStatus) =>
        names.map(name => row(name, { health }));
      await writer.record([row('gone'), ...all('Missing')], NOON);
      await writer.markGone('gone', NOON + DAY);
      await writer.record(all('Healthy'), NOON + 1);
      await writer.record(
        [row('app-0', { health: 'Degraded' })],
        NOON + 3 * DAY,
      );
      const { signal } = new AbortController();
      const before = new Date(NOON + 2 * DAY);
      expect(await database().removeHistory(before, signal)).toEqual({
        // Those from Missing, and of the first Application that to Healthy.
        transitions: 701,
        applications: 1,
      });
      expect(await database().removeHistory(before, signal)).toEqual({
        transitions: 0,
        applications: 0,
      });
      const [latest, ...kept] = await timeline();
      expect(latest).toMatchObject({ sequence: 3, health: 'Degraded' });
      // The first of those that are left does not say what was before it.
      expect(latest.previous).toBeUndefined();
      expect(
        kept.map(({ application, sequence, health, at }) => [
          application.name,
          ...[sequence, health, Date.parse(at)],
        ]),
      ).toEqual(
        names
          .slice(1)
          .map(name => [name, 2, 'Healthy', NOON + 1])
          .reverse(),
      );
      expect(await rowsOf('fleet_applications')).toHaveLength(700);
      expect(await writer.record(all('Healthy').slice(1))).toBe(0);

      await writer.markGone('app-1', NOON + 4 * DAY);
      const removed = (day: number) =>
        database().removeHistory(new Date(NOON + day * DAY), signal);
      const ofGone = () => timeline('application', { name: 'app-1' });
      await removed(3.5);
      expect(await ofGone()).toHaveLength(1);
      expect(await removed(5)).toMatchObject({ applications: 1 });
      expect(await ofGone()).toEqual([]);
      expect(await timeline()).toHaveLength(699);
    },

    async 'loses and duplicates nothing between two concurrent writers'() {
      const other = opened().another?.() ?? opened().knex;
      const databases = [database(), fleetDatabaseOn(other)];
      const acknowledged: string[] = [];
      const refusals: unknown[] = [];
      let minutes = 0;
      const write = async (
        writer: Awaited<ReturnType<typeof startWriter>>,
        batch: string,
      ) => {
        for (const part of ['1', '2', '3', '4']) {
          const errors = ['a', 'b', 'c'].map(
            name => `${name} ${batch} ${part}`,
          );
          // As slow as history has room for.
          minutes += 1;
          await writer
            .record(
              errors.map(error => row(error[0], { error })),
              NOON + minutes * 60_000,
            )
            .then(
              () => acknowledged.push(...errors),
              refusal => refusals.push(refusal),
            );
        }
      };
      // Of two that have started, the first is refused. From then on, chance decides.
      const writers = await Promise.all(
        databases.map(mine => startWriter(mine)),
      );
      await Promise.all(
        writers.map((writer, who) => write(writer, `${who} first`)),
      );
      expect(refusals.length).toBeGreaterThan(0);
      await Promise.all(
        databases.map(async (mine, who) => {
          for (let batch = 0; batch < 15; batch += 1) {
            await write(await startWriter(mine), `${who} ${batch}`);
          }
        }),
      );
      const recorded = await timeline('applicationSet', {}, 1000);
      expect(recorded.map(({ error }) => error).sort()).toEqual(
        acknowledged.sort(),
      );
      for (const name of ['a', 'b', 'c']) {
        const sequences = (await timeline('application', { name })).map(
          ({ sequence }) => sequence,
        );
        expect(sequences).toEqual(
          sequences.map((_, index) => sequences.length - index),
        );
      }
      for (const refusal of refusals) {
        expect(refusal).toBeInstanceOf(TakenOverError);
      }
    },

    async 'counts Applications, and clusters and sets by their worst Application'() {
      const writer = await startWriter(database());
      const silent = (name: string, staleSince?: string) =>
        ({
          cluster: { name, available: 'Unknown', stale: true, staleSince },
        }) as const;
      await writer.record([
        row('a', { statusAt: '2026-11-20T09:00:00Z' }),
        row('b', { health: 'Progressing', sync: 'OutOfSync' }),
        row('c', silent('two', '2026-11-22T09:00:00Z')),
        row('d', silent('two', '2026-11-22T09:00:00Z')),
        row('e', silent('three', '2026-11-22T08:00:00Z')),
        row('f', silent('four')),
        row('gone', { health: 'Degraded' }),
      ]);
      await writer.markGone('gone');
      const other = await startWriter(database(), 'other');
      await other.record([row('a', { health: 'Missing', sync: 'Unknown' })]);

      const { counts, staleness } = await database().counts.count([
        HUB,
        'other',
      ]);
      const counted = (kind: CountedKind) =>
        counts
          .filter(each => each.kind === kind)
          .map(
            ({ hub, health, sync, count }) =>
              `${hub} ${health} ${sync} ${count}`,
          )
          .sort();
      expect(counted('applications')).toEqual([
        'hub Healthy Synced 5',
        'hub Progressing OutOfSync 1',
        'other Missing Unknown 1',
      ]);
      expect(counted('clusters')).toEqual([
        'hub Healthy Synced 3',
        'hub Progressing OutOfSync 1',
        'other Missing Unknown 1',
      ]);
      expect(counted('applicationSets')).toEqual([
        'hub Progressing OutOfSync 1',
        'other Missing Unknown 1',
      ]);
      expect(staleness.toSorted((x, y) => (x.hub < y.hub ? -1 : 1))).toEqual([
        { hub: 'hub', staleClusters: 3, since: '2026-11-22T08:00:00Z' },
        { hub: 'other', staleClusters: 0 },
      ]);
      const { counts: own } = await database().counts.count([HUB]);
      expect(own).toEqual(counts.filter(({ hub }) => hub === HUB));
    },

    async 'marks the Applications of unconfigured hubs as gone'() {
      const writer = await startWriter(database());
      await writer.record([row('a')]);
      const names = Array.from({ length: 101 }, (_, index) => `app-${index}`);
      const other = await startWriter(database(), 'other');
      await other.record(names.map(name => row(name)));
      const { answers } = database();
      const said = { application: 'argocd/a', cluster: 'one', details: '{}' };
      for (const hub of [HUB, 'other']) {
        const round = { startedAt: new Date(NOON).toISOString(), revision: 1 };
        await answers.write(hub, 'search', { ...NO_ROUND, ...round }, [said]);
      }
      const { signal } = new AbortController();
      const leave = (hubs: string[], startedBefore: number) =>
        database().retireUnconfiguredHubs(
          hubs,
          new Date(startedBefore),
          signal,
        );
      const hubsIn = async (table: string) => [
        ...new Set((await rowsOf(table)).map(({ hub }) => hub)),
      ];

      expect(await leave([HUB, 'other'], NOON + 1)).toBe(0);
      expect(await leave([HUB], NOON)).toBe(101);
      expect(await leave([HUB], NOON)).toBe(0);
      expect(await timeline('application', { name: 'a' })).toHaveLength(1);
      const { counts } = await database().counts.count([HUB, 'other']);
      expect(counts.map(({ hub }) => hub)).toEqual([HUB, HUB, HUB]);
      // A replica that still writes about the hub is rejected, and finds them gone.
      await expect(other.record([row('b')])).rejects.toThrow(TakenOverError);
      expect((await startWriter(database(), 'other')).known.size).toBe(0);
      expect(await writer.record([row('b')])).toBe(1);

      expect(await hubsIn('source_answers')).toEqual([HUB, 'other']);
      await leave([HUB], NOON + 1);
      expect(await hubsIn('source_answers')).toEqual([HUB]);
      expect(await hubsIn('source_rounds')).toEqual([HUB]);
    },

    async 'keeps an Application that comes back during the removal of gone ones'() {
      const writer = await startWriter(database());
      await writer.record([row('a')], NOON);
      await writer.markGone('a', NOON);
      const { knex, another } = opened();
      // Where there is one connection only, nothing can come in between.
      const held = another && (await another().transaction());
      const back = (held ?? knex)('fleet_applications');
      await back.where({ name: 'a' }).update({ gone_at: null });
      const removal = database().removeHistory(
        new Date(NOON + DAY),
        new AbortController().signal,
      );
      if (held) {
        await waitFor(async () => {
          const { rows } = await knex.raw(
            "select 1 from pg_stat_activity where wait_event_type = 'Lock'",
          );
          return rows.length > 0;
        });
        await held.commit();
      }
      expect(await removal).toMatchObject({ applications: 0 });
      expect(await timeline()).toHaveLength(1);
    },

    async 'records owners with any name'() {
      const { records } = database();
      const epoch = await records.takeOver(HUB);
      // Random, since indexes of PostgreSQL hold long names that can be compressed.
      const long = randomBytes(6_000).toString('base64url');
      const owners = ['set\0', long, SET];
      const changes = owners.map((owner, index) => ({
        namespace: NAMESPACE,
        name: `app-${index}`,
        change: recordChange(
          applicationRecord(row(`app-${index}`), owner),
          undefined,
          NOON,
        ),
        recordedAt: NOON,
      }));
      expect(await records.record(HUB, epoch, changes)).toHaveLength(3);
      expect(await timeline()).toHaveLength(1);
    },

    async 'records which accounts an Argo CD had from before once for each hub'() {
      const { importAccounts } = database();
      const before = { argocd: ['fleet'] };
      expect(await importAccounts.accounts(HUB)).toBeUndefined();
      const recorded = await Promise.all([
        importAccounts.record(HUB, before),
        importAccounts.record(HUB, before),
      ]);
      expect(recorded).toEqual([before, before]);
      expect(await importAccounts.record(HUB, { tenant: ['any'] })).toEqual(
        before,
      );
      expect(await importAccounts.record('other', {})).toEqual({});
      expect(await importAccounts.accounts(HUB)).toEqual(before);
    },

    async 'counts more Applications than one statement reads'() {
      const writer = await startWriter(database());
      await writer.record(
        Array.from({ length: 1_001 }, (_, index) => row(`app-${index}`)),
      );
      const state = { hub: HUB, health: 'Healthy', sync: 'Synced' };
      expect((await database().counts.count([HUB])).counts).toEqual([
        { ...state, kind: 'applications', count: 1_001 },
        { ...state, kind: 'clusters', count: 1 },
        { ...state, kind: 'applicationSets', count: 1 },
      ]);
    },
  };
}
