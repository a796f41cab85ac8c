import { createForbiddenKeys } from './forbiddenKeys';

const HOUR_MS = 3_600_000;

describe('forbidden keys', () => {
  it('are retried seldom, except one', () => {
    const keys = createForbiddenKeys();
    expect(keys.add('a', HOUR_MS)).toBe(15_000);
    expect(keys.add('b', HOUR_MS)).toBe(HOUR_MS);
    expect(keys.add('a', HOUR_MS)).toBe(15_000);
    expect(keys.add('a', 10)).toBe(10);
  });

  it('are all retried when the write of one is allowed', () => {
    const keys = createForbiddenKeys();
    ['a', 'b', 'c'].forEach(key => keys.add(key, HOUR_MS));
    expect(keys.remove('b', true)).toEqual(['a', 'c']);
  });

  it('do not release each other repeatedly when only some writes are allowed', () => {
    const keys = createForbiddenKeys();
    ['a', 'b', 'c', 'd'].forEach(key => keys.add(key, HOUR_MS));
    expect(keys.remove('a', true)).toEqual(['b', 'c', 'd']);
    expect(keys.add('b', HOUR_MS)).toBe(15_000);
    expect(keys.remove('c', true)).toEqual([]);
    // Its write was allowed only after the others were retried.
    keys.add('d', HOUR_MS);
    expect(keys.remove('d', true)).toEqual(['b']);
  });

  it('retry another one often when the first has nothing left to write', () => {
    const keys = createForbiddenKeys();
    ['a', 'b', 'c'].forEach(key => keys.add(key, HOUR_MS));
    expect(keys.remove('c', false)).toEqual([]);
    expect(keys.remove('a', false)).toEqual(['b']);
    expect(keys.add('b', HOUR_MS)).toBe(15_000);
    expect(keys.remove('b', true)).toEqual([]);
  });

  it('do not include keys that never were forbidden', () => {
    const keys = createForbiddenKeys();
    keys.add('a', HOUR_MS);
    expect(keys.remove('b', true)).toEqual([]);
    expect(keys.remove('a', true)).toEqual([]);
  });
});
