import fc from 'fast-check';
import { SEED } from '../__testUtils__/randomCases';
import { createChangeLog, type Changes } from './changeLog';

const INSTANCE = /^[0-9a-f-]{36}\.\d+$/;

interface Item {
  readonly key: string;
  readonly value: number;
}

/** A reader's items after an answer. */
function applied(known: Map<string, number>, changes: Changes<Item>) {
  const next = changes.full ? new Map<string, number>() : new Map(known);
  changes.items.forEach(({ key, value }) => next.set(key, value));
  changes.removed.forEach(key => next.delete(key));
  return next;
}

describe('a change log', () => {
  it('answers with everything first, then with what changed, then with nothing', () => {
    const log = createChangeLog<string>();
    log.set('a', 'a1');
    log.set('b', 'b1');
    const first = log.since(undefined);
    expect(first).toEqual({
      full: true,
      items: ['a1', 'b1'],
      removed: [],
      token: expect.stringMatching(INSTANCE),
    });
    log.set('a', 'a2');
    log.set('a', 'a3');
    log.delete('b');
    const second = log.since(first.token);
    expect(second).toMatchObject({
      full: false,
      items: ['a3'],
      removed: ['b'],
    });
    expect(log.since(second.token)).toEqual({
      full: false,
      items: [],
      removed: [],
      token: second.token,
    });
  });

  it('does not count the removal of what it does not have', () => {
    const log = createChangeLog<string>();
    const { token } = log.since(undefined);
    log.delete('a');
    expect(log.since(token).token).toBe(token);
  });

  it('answers in full to a token that it did not give', () => {
    const log = createChangeLog<string>();
    log.set('a', 'a1');
    const { token } = log.since(undefined);
    const [instance] = token.split('.');
    const other = createChangeLog<string>();
    for (const foreign of [
      other.since(undefined).token,
      `${instance}.2`,
      `${instance}.999999999999999`,
      `${instance}.9999999999999999999999`,
      `${instance}.-1`,
      `${instance}.1e0`,
      `${instance}.NaN`,
      `${instance}.`,
      instance,
      `${token}.1`,
      ` ${token}`,
      '__proto__',
      '',
    ]) {
      expect(log.since(foreign)).toMatchObject({ full: true, items: ['a1'] });
    }
  });

  it('answers in full to a token from before the changes that it remembers, and keeps no removed item', () => {
    const log = createChangeLog<string>(3);
    const { token: old } = log.since(undefined);
    for (let index = 0; index < 100; index += 1) {
      log.set(`k${index}`, 'x');
      log.delete(`k${index}`);
    }
    log.set('a', 'a1');
    expect(log.since(old)).toMatchObject({ full: true, items: ['a1'] });
  });

  it('brings every reader to the same items after any history', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.record({ key: fc.constantFrom('a', 'b', 'c'), value: fc.nat() }),
            fc.record({ remove: fc.constantFrom('a', 'b', 'c') }),
            fc.record({ read: fc.constantFrom(0, 1) }),
          ),
          { maxLength: 60 },
        ),
        events => {
          const log = createChangeLog<Item>(4);
          const readers = [0, 1].map(() => ({
            items: new Map<string, number>(),
            token: undefined as string | undefined,
          }));
          const read = (index: number) => {
            const reader = readers[index];
            const changes = log.since(reader.token);
            reader.items = applied(reader.items, changes);
            reader.token = changes.token;
          };
          const expected = new Map<string, number>();
          for (const event of events) {
            if ('read' in event) {
              read(event.read);
            } else if ('remove' in event) {
              expected.delete(event.remove);
              log.delete(event.remove);
            } else {
              expected.set(event.key, event.value);
              log.set(event.key, event);
            }
          }
          read(0);
          read(1);
          for (const { items } of readers) {
            expect(new Map([...items].sort())).toEqual(
              new Map([...expected].sort()),
            );
          }
        },
      ),
      { seed: SEED },
    );
  });
});
