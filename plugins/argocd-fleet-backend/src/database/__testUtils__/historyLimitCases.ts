import type {
  ClusterApplication,
  Transition,
} from 'backstage-plugin-argocd-fleet-common';
import { fleetDatabaseOn } from '../fleetDatabase';
import { HUB, NAMESPACE, NOON, row, startWriter } from './records';
import type { TestDatabase } from './testDatabase';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** An error as long as Argo CD's longest; what differs is at its beginning. */
const longError = (index: number) => `error ${index} ${'x'.repeat(4_000)}`;

/**
 * What a flood of changes does to the history in any database, one that is empty and up to date: cases by their names.
 * Changes have the times of the cases; no case waits.
 */
export function historyLimitCases(
  opened: () => TestDatabase,
): Readonly<Record<string, () => Promise<void>>> {
  const database = () => fleetDatabaseOn(opened().knex);

  async function timeline(name: string, hub = HUB): Promise<Transition[]> {
    const { items } = await database().timelines.transitions(
      { kind: 'application', ref: { hub, namespace: NAMESPACE, name } },
      { limit: 1_000 },
    );
    return items;
  }

  const applicationRow = (name: string) =>
    opened().knex('fleet_applications').where({ name }).first();

  const omittedIn = (transitions: readonly Transition[]) =>
    transitions.reduce((sum, { omitted = 0 }) => sum + omitted, 0);

  /** The state number `index` of an Application that flaps. */
  const flapping = (index: number): Partial<ClusterApplication> => ({
    health: index % 2 === 0 ? 'Suspended' : 'Degraded',
    error: longError(index),
  });

  /** Records one change after the other of an Application, a thousand a second. */
  async function flood(
    writer: Awaited<ReturnType<typeof startWriter>>,
    name: string,
    changes: number,
    from: number,
    stateAt: (index: number) => Partial<ClusterApplication> = flapping,
  ) {
    for (let index = 0; index < changes; index += 1) {
      await writer.record([row(name, stateAt(index))], from + index);
    }
  }

  return {
    async 'records 20 of a thousand changes a second, and counts the others, while the current state is exact'() {
      const writer = await startWriter(database());
      await flood(writer, 'noisy', 1_000, NOON);
      const recorded = await timeline('noisy');
      expect(recorded).toHaveLength(20);
      expect(omittedIn(recorded)).toBe(0);
      const current = await applicationRow('noisy');
      expect(current).toMatchObject({
        health: 'Degraded',
        error: longError(999),
      });
      expect(
        [current.updated_at, current.changed_at, current.omitted].map(Number),
      ).toEqual([NOON + 999, NOON + 999, 980]);

      // The next one of the next minute says how many are missing before it.
      await flood(writer, 'noisy', 1, NOON + MINUTE);
      const [latest, ...earlier] = await timeline('noisy');
      expect(latest).toMatchObject({
        ...{ sequence: 21, health: 'Suspended', omitted: 980 },
        previous: { health: earlier[0].health },
      });
      expect(earlier).toEqual(recorded);
      expect(Number((await applicationRow('noisy')).omitted)).toBe(0);
    },

    async 'does not leave out anything of the Applications beside a flood'() {
      const writer = await startWriter(database());
      const states: Partial<ClusterApplication>[] = [
        { health: 'Progressing', phase: 'Running' },
        { health: 'Progressing', phase: 'Succeeded' },
        { health: 'Healthy', phase: 'Succeeded' },
        { health: 'Progressing', phase: 'Succeeded' },
        { health: 'Healthy', phase: 'Succeeded' },
      ];
      for (const [index, quiet] of states.entries()) {
        await flood(writer, 'noisy', 50, NOON + index * 100);
        await writer.record(
          [row('noisy', flapping(50)), row('quiet', quiet)],
          NOON + index * 100 + 50,
        );
      }
      const quiet = await timeline('quiet');
      expect(quiet.map(({ health, phase }) => ({ health, phase }))).toEqual(
        [...states].reverse(),
      );
      expect(omittedIn(quiet)).toBe(0);
      const noisy = await timeline('noisy');
      expect(noisy).toHaveLength(20);
    },

    async 'ends the history with the state that holds, once there is room again'() {
      const writer = await startWriter(database());
      await flood(writer, 'noisy', 100, NOON);
      const last = row('noisy', flapping(99));
      // Nothing changes; it is looked at again.
      expect(await writer.record([last], NOON + MINUTE)).toBe(0);
      expect(await writer.record([last], NOON + MINUTE + 99)).toBe(1);
      expect(await writer.record([last], NOON + 2 * MINUTE + 99)).toBe(0);
      const transitions = await timeline('noisy');
      expect(transitions[0]).toMatchObject({
        ...{ sequence: 21, health: 'Degraded', omitted: 79 },
        at: new Date(NOON + 99).toISOString(),
        recordedAt: new Date(NOON + MINUTE + 99).toISOString(),
      });
      expect(transitions.length + omittedIn(transitions)).toBe(100);
    },

    async 'never leaves out the first transition of a revision, its first Healthy and its first failure'() {
      const writer = await startWriter(database());
      await flood(writer, 'noisy', 100, NOON);
      const milestones: Partial<ClusterApplication>[] = [
        { revision: 'new', health: 'Progressing', sync: 'OutOfSync' },
        { revision: 'new', health: 'Degraded', sync: 'OutOfSync' },
        { revision: 'new', health: 'Healthy', sync: 'Synced' },
      ];
      for (const [index, milestone] of milestones.entries()) {
        const from = NOON + (index + 1) * 1_000;
        const noise = (at: number) => ({
          ...milestones[0],
          phase: at % 2 === 0 ? ('Running' as const) : ('Succeeded' as const),
        });
        await writer.record([row('noisy', milestone)], from);
        await flood(writer, 'noisy', 100, from + 1, noise);
      }
      const transitions = await timeline('noisy');
      expect(transitions).toHaveLength(23);
      expect(
        transitions
          .slice(0, 3)
          .map(({ revision, health }) => [revision, health]),
      ).toEqual([
        ['new', 'Healthy'],
        ['new', 'Degraded'],
        ['new', 'Progressing'],
      ]);
      expect(transitions.slice(0, 3).map(each => each.omitted)).toEqual([
        ...[100, 100, 80],
      ]);
    },

    async 'bounds what a cluster can record that invents a revision with each change'() {
      const writer = await startWriter(database());
      const invented = (index: number) => ({ revision: `revision ${index}` });
      await flood(writer, 'noisy', 500, NOON, invented);
      expect(await timeline('noisy')).toHaveLength(300);
      await flood(writer, 'noisy', 100, NOON + MINUTE, invented);
      expect(await timeline('noisy')).toHaveLength(320);
      expect(await applicationRow('noisy')).toMatchObject({
        revision: 'revision 99',
      });
    },

    async 'continues its counts with another replica, and after a restart'() {
      const before = await startWriter(database());
      await flood(before, 'noisy', 15, NOON);
      const after = await startWriter(fleetDatabaseOn(opened().knex));
      await flood(after, 'noisy', 15, NOON + 15, index => flapping(index + 15));
      expect(await timeline('noisy')).toHaveLength(20);
      const last = await startWriter(database());
      expect(last.known).toEqual(after.known);
      expect(last.known.get('noisy')).toMatchObject({
        ...{ sequence: 20, recordAgainAt: NOON + 29 + MINUTE },
      });
      await flood(last, 'noisy', 1, NOON + MINUTE, () => ({
        health: 'Missing',
      }));
      const [{ omitted }] = await timeline('noisy');
      expect(omitted).toBe(10);
    },

    async 'keeps its count while other things than the state of an Application change'() {
      const writer = await startWriter(database());
      await flood(writer, 'noisy', 30, NOON);
      await writer.record(
        [row('noisy', { ...flapping(29), images: ['nginx:1'] })],
        NOON + 30,
      );
      expect(Number((await applicationRow('noisy')).omitted)).toBe(10);
      expect(await timeline('noisy')).toHaveLength(20);
    },

    async 'counts by hub, so that no hub takes the room of another'() {
      const busy = await startWriter(database(), 'busy');
      const quiet = await startWriter(database());
      for (const writer of [busy, quiet]) {
        await writer.record([row('a')], NOON - DAY);
      }
      await opened()
        .knex('fleet_hubs')
        .where({ hub: 'busy' })
        .update({
          history_minute: NOON / MINUTE,
          in_history_minute: 19_999,
        });
      for (const health of ['Progressing', 'Missing'] as const) {
        await busy.record([row('a', { health })], NOON);
        await quiet.record([row('a', { health })], NOON);
      }
      expect((await timeline('a', 'busy')).map(each => each.health)).toEqual([
        'Progressing',
        'Healthy',
      ]);
      expect(await timeline('a')).toHaveLength(3);
      await busy.record([row('a', { health: 'Unknown' })], NOON + MINUTE);
      const [latest] = await timeline('a', 'busy');
      expect(latest).toMatchObject({ health: 'Unknown', omitted: 1 });
    },

    async 'keeps the last 20,000 transitions of an Application, and milestones before them'() {
      const writer = await startWriter(database());
      await writer.record([row('noisy'), row('quiet')], NOON);
      for (const [index, health] of [
        'Progressing' as const,
        'Missing' as const,
        'Degraded' as const,
      ].entries()) {
        await writer.record([row('noisy', { health })], NOON + index);
      }
      // As if what was recorded meanwhile were here, too.
      await opened()
        .knex('fleet_applications')
        .where({ name: 'noisy' })
        .update({ sequence: 20_000 });
      const later = await startWriter(database());
      for (let index = 0; index < 5; index += 1) {
        await later.record(
          [row('noisy', { health: index % 2 === 0 ? 'Missing' : 'Unknown' })],
          NOON + DAY + index,
        );
      }
      const left = await timeline('noisy');
      expect(left.map(({ sequence, health }) => [sequence, health])).toEqual([
        [20_005, 'Missing'],
        [20_004, 'Unknown'],
        [20_003, 'Missing'],
        [20_002, 'Unknown'],
        [20_001, 'Missing'],
        // The first failure, and the first of all; what was between them is gone.
        [4, 'Degraded'],
        [1, 'Healthy'],
      ]);
      expect(left.at(-2)?.previous).toBeUndefined();
      expect(await timeline('quiet')).toHaveLength(1);
    },

    async 'has short texts in the history, and whole ones in the current state'() {
      const writer = await startWriter(database());
      const revisions = Array.from({ length: 500 }, (_, index) =>
        String(index).padStart(40, '0'),
      );
      await writer.record([row('noisy', { ...flapping(1), revisions })], NOON);
      const [{ error = '', revisions: kept = [] }] = await timeline('noisy');
      expect(error).toMatch(/^error 1 x+… \[cut\]$/);
      expect(Buffer.byteLength(error)).toBe(1_024);
      expect(kept).toEqual(revisions.slice(0, kept.length));
      expect(kept.length).toBeGreaterThan(40);
      const current = await applicationRow('noisy');
      expect(current.error).toBe(longError(1));
      expect(JSON.parse(current.revisions)).toEqual(revisions);
    },

    async 'says whether the cluster reported'() {
      const writer = await startWriter(database());
      const silent = {
        cluster: { name: 'one', available: 'Unknown', stale: true },
        error: 'the agent stopped updating its lease',
      } as const;
      await writer.record([row('a')], NOON);
      await writer.record([row('a', silent)], NOON + 1);
      await writer.record([row('a')], NOON + 2);
      expect(
        (await timeline('a')).map(({ stale, previous }) => [
          stale,
          previous?.stale,
        ]),
      ).toEqual([
        [undefined, true],
        [true, undefined],
        [undefined, undefined],
      ]);
    },
  };
}
