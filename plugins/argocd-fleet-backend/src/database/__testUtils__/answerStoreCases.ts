import {
  createAnswerStore,
  NO_ROUND,
  ConcurrentRoundError,
  REMEMBERED_ROUNDS,
  type StoredAnswer,
} from '../answerStore';
import type { TestDatabase } from './testDatabase';

const HUB = 'hub';
const SOURCE = 'search';
const NOON = '2026-11-22T12:00:00.000Z';

/** What is kept of resource sources in any database that the plugin is made for, one that is empty and up to date: cases by their names. */
export function answerStoreCases(
  opened: () => TestDatabase,
): Readonly<Record<string, () => Promise<void>>> {
  const store = () => createAnswerStore(opened().knex);

  const round = (revision: number, more: object = {}) => ({
    ...NO_ROUND,
    revision,
    startedAt: NOON,
    ...more,
  });

  const answer = (
    name: string,
    more: Partial<StoredAnswer> = {},
  ): StoredAnswer => ({
    application: `argocd/${name}`,
    cluster: 'c1',
    details: `{"name":"${name}"}`,
    ...more,
  });

  async function read(afterRevision: number, hub = HUB) {
    const found: StoredAnswer[] = [];
    for await (const page of store().readAnswers(hub, SOURCE, afterRevision)) {
      found.push(...page);
    }
    return found;
  }

  return {
    async 'reads the answers that were stored, with the time of their change'() {
      expect(await store().readRound(HUB, SOURCE)).toEqual(NO_ROUND);
      const first = round(1, {
        late: { c2: { since: NOON, missed: 2 } },
        findings: [
          { code: 'AFC-430', severity: 'info', title: '“ü”', message: 'm' },
        ],
      });
      await store().write(HUB, SOURCE, first, [answer('a'), answer('b')]);
      expect(await store().readRound(HUB, SOURCE)).toEqual(first);
      expect(await read(0)).toEqual([answer('a'), answer('b')]);

      const changed = answer('b', { details: '{}', changedAt: NOON });
      await store().write(HUB, SOURCE, round(2), [
        changed,
        answer('a', { details: undefined }),
      ]);
      expect(await store().readRound(HUB, SOURCE)).toEqual(round(2));
      expect(await read(0)).toEqual([changed]);
      expect(await read(1)).toEqual([
        { application: 'argocd/a', cluster: 'c1' },
        changed,
      ]);
      expect(await read(2)).toEqual([]);
    },

    async 'separates hubs and sources'() {
      await store().write(HUB, SOURCE, round(1), [answer('a')]);
      await store().write('other', SOURCE, round(1), [answer('b')]);
      await store().write(HUB, 'index', round(1), []);
      expect(await read(0)).toEqual([answer('a')]);
      expect(await read(0, 'other')).toEqual([answer('b')]);
    },

    async 'rejects a round that does not follow the last one, and stores nothing of it'() {
      await store().write(HUB, SOURCE, round(1), [answer('a')]);
      for (const revision of [1, 3]) {
        await expect(
          store().write(HUB, SOURCE, round(revision), [answer('b')]),
        ).rejects.toThrow(ConcurrentRoundError);
      }
      expect(await read(0)).toEqual([answer('a')]);
      expect((await store().readRound(HUB, SOURCE)).revision).toBe(1);
    },

    async 'stores many answers at once, and reads them in pages'() {
      const many = Array.from({ length: 1_234 }, (_, index) =>
        answer(String(index).padStart(4, '0')),
      );
      await store().write(HUB, SOURCE, round(1), many);
      const sizes: number[] = [];
      for await (const page of store().readAnswers(HUB, SOURCE, 0)) {
        sizes.push(page.length);
      }
      expect(sizes).toEqual([500, 500, 234]);
      expect(await read(0)).toEqual(many);
    },

    async 'keeps deleted answers for REMEMBERED_ROUNDS rounds'() {
      await store().write(HUB, SOURCE, round(1), [
        answer('a', { details: undefined }),
        answer('b'),
      ]);
      const rows = () => opened().knex('source_answers').select();
      const passTo = async (revision: number) => {
        await opened()
          .knex('source_rounds')
          .update({ revision: revision - 1 });
        await store().write(HUB, SOURCE, round(revision), []);
      };
      await passTo(REMEMBERED_ROUNDS + 1);
      expect(await rows()).toHaveLength(2);
      await passTo(REMEMBERED_ROUNDS + 2);
      expect(await rows()).toMatchObject([{ application: 'argocd/b' }]);
    },
  };
}
