import fc from 'fast-check';
import { keepUnchanged } from './keepUnchanged';

const KEYS = { rows: ({ name }: { name: string }) => name };
const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value));

const row = (name: string, health = 'Healthy') => ({
  name,
  health,
  cluster: { labels: { region: 'eu' } },
});

describe('keepUnchanged', () => {
  it('returns the answer before if nothing changed', () => {
    const before = { rows: [row('a'), row('b')], hub: { state: 'ready' } };
    expect(keepUnchanged(before, copy(before), KEYS)).toBe(before);
  });

  it('keeps the rows that did not change, also where rows come, go and move', () => {
    const [a, b, c] = ['a', 'b', 'c'].map(name => row(name));
    const before = { rows: [a, b, c] };
    const after = keepUnchanged(
      before,
      copy({ rows: [row('new'), c, row('b', 'Degraded')] }),
      KEYS,
    );
    expect(after).toEqual({ rows: [row('new'), c, row('b', 'Degraded')] });
    expect(after.rows[1]).toBe(c);
    // The changed row is another object, with the parts that it kept.
    expect(after.rows[2]).not.toBe(b);
    expect(after.rows[2].cluster).toBe(b.cluster);
  });

  it.each([
    ['a field that is gone', { x: 1, y: 2 }, { x: 1 }],
    ['a field that is new', { x: 1 }, { x: 1, y: 2 }],
    ['an item that is gone', { list: [1, 2] }, { list: [1] }],
    ['an array in place of an object', { x: {} }, { x: [] }],
    ['null in place of an object', { x: {} }, { x: null }],
    ['nothing before', undefined, { x: 1 }],
    ['an array with an inherited name', { toString: [1] }, { toString: [2] }],
    ['a field with an inherited name', {}, JSON.parse('{"__proto__":{}}')],
  ])('takes %s from the new answer', (_what, before, after) => {
    expect(keepUnchanged<unknown>(before, after, KEYS)).toEqual(after);
    expect(keepUnchanged<unknown>(before, after, KEYS)).not.toBe(before);
  });

  it('equals the new answer, whatever was before', () => {
    fc.assert(
      // Values as parsing gives them: fc.jsonValue() also has -0, which JSON writes as 0.
      fc.property(
        fc.json().map(text => JSON.parse(text)),
        fc.json().map(text => JSON.parse(text)),
        fc.boolean(),
        (before, other, same) => {
          const after = copy(same ? before : other);
          expect(keepUnchanged<unknown>(before, after, {})).toEqual(after);
        },
      ),
    );
  });
});
