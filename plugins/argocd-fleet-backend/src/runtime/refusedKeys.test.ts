import { createRefusedKeys } from './refusedKeys';

const HOUR_MS = 3_600_000;

describe('keys whose writes the hub does not allow', () => {
  it('are tried seldom, but for one', () => {
    const keys = createRefusedKeys();
    expect(keys.refused('a', HOUR_MS)).toBe(15_000);
    expect(keys.refused('b', HOUR_MS)).toBe(HOUR_MS);
    expect(keys.refused('a', HOUR_MS)).toBe(15_000);
    expect(keys.refused('a', 10)).toBe(10);
  });

  it('are all tried when one may write again', () => {
    const keys = createRefusedKeys();
    ['a', 'b', 'c'].forEach(key => keys.refused(key, HOUR_MS));
    expect(keys.passed('b', true)).toEqual(['a', 'c']);
  });

  it('do not have each other tried again and again where only some may write', () => {
    const keys = createRefusedKeys();
    ['a', 'b', 'c', 'd'].forEach(key => keys.refused(key, HOUR_MS));
    expect(keys.passed('a', true)).toEqual(['b', 'c', 'd']);
    expect(keys.refused('b', HOUR_MS)).toBe(15_000);
    expect(keys.passed('c', true)).toEqual([]);
    // Its right came after the others were tried.
    keys.refused('d', HOUR_MS);
    expect(keys.passed('d', true)).toEqual(['b']);
  });

  it('have another one tried often when the first has nothing to write any more', () => {
    const keys = createRefusedKeys();
    ['a', 'b', 'c'].forEach(key => keys.refused(key, HOUR_MS));
    expect(keys.passed('c', false)).toEqual([]);
    expect(keys.passed('a', false)).toEqual(['b']);
    expect(keys.refused('b', HOUR_MS)).toBe(15_000);
    expect(keys.passed('b', true)).toEqual([]);
  });

  it('are none of those that never were refused', () => {
    const keys = createRefusedKeys();
    keys.refused('a', HOUR_MS);
    expect(keys.passed('b', true)).toEqual([]);
    expect(keys.passed('a', true)).toEqual([]);
  });
});
