import fc from 'fast-check';
import { SEED } from '../../__testUtils__/randomCases';
import { parseExactJson } from '../client/exactJson';
import { createStructurePool } from './structureSharing';

/** A small object: its own name, and all else from a template. */
function copyOf(template: string, name: string) {
  return JSON.parse(
    JSON.stringify({
      metadata: { name, labels: { set: template } },
      spec: {
        rules: [{ expression: `an expression of ${template}`, on: true }],
      },
    }),
  );
}

/** Shares enough copies for a template of this depth to be known, and returns the last. */
function last(pool: ReturnType<typeof createStructurePool>, template: string) {
  let result = copyOf(template, 'first');
  for (let i = 0; i < 8; i += 1) {
    result = pool.share(copyOf(template, `copy-${i}`));
  }
  return result;
}

describe('structure sharing', () => {
  it('shares all equal parts of the copies of a template', () => {
    const pool = createStructurePool();
    const a = last(pool, 'guestbook');
    const b = pool.share(copyOf('guestbook', 'another'));
    expect(b.metadata).not.toBe(a.metadata);
    expect(b.metadata.name).toBe('another');
    expect(b.metadata.labels).toBe(a.metadata.labels);
    expect(b.spec).toBe(a.spec);
  });

  it('freezes shared parts, and does not change its input', () => {
    const pool = createStructurePool();
    last(pool, 'guestbook');
    const given = copyOf('guestbook', 'given');
    const shared = pool.share(given);
    expect(Object.isFrozen(shared.spec.rules[0])).toBe(true);
    expect(Object.isFrozen(given.spec)).toBe(false);
    expect(given).toEqual(copyOf('guestbook', 'given'));
    expect(pool.share(Object.freeze(copyOf('other', 'frozen')))).toEqual(
      copyOf('other', 'frozen'),
    );
  });

  it('drops templates that are no longer used, and keeps the others', () => {
    const pool = createStructurePool(50);
    const used = last(pool, 'used');
    const unused = last(pool, 'unused');
    for (let i = 0; i < 400; i += 1) {
      pool.share(copyOf(`passing-${i}`, 'x'));
      pool.share(copyOf('used', `${i}`));
    }
    expect(pool.share(copyOf('used', 'z')).spec).toBe(used.spec);
    expect(pool.share(copyOf('unused', 'z')).spec).not.toBe(unused.spec);
  });

  it('returns an equal object, key for key, whatever it shared before', () => {
    const pool = createStructurePool(30);
    const leaf = fc.oneof(
      fc.constantFrom('', 'a', 'b', '0', 'true'),
      fc.constantFrom(0, 1, 1.5, -1, 2 ** 40),
      fc.constantFrom(true, false, null),
    );
    const { tree } = fc.letrec(tie => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(
          fc.constantFrom('a', 'b', '0', '__proto__'),
          tie('tree'),
          {
            maxKeys: 3,
          },
        ),
      ),
    }));
    fc.assert(
      fc.property(tree, generated => {
        const before = JSON.stringify(generated);
        const value = JSON.parse(before);
        for (let i = 0; i < 3; i += 1) {
          expect(JSON.stringify(pool.share(value))).toBe(before);
        }
        expect(pool.share(value)).toEqual(value);
      }),
      { seed: SEED, numRuns: 1_000 },
    );
  });

  it('visits the values of a large object only so far, and shares what follows it', () => {
    const pool = createStructurePool();
    let visited = 0;
    const large = {
      metadata: { name: 'large' },
      lists: Array.from({ length: 100 }, () =>
        Array.from({ length: 1_000 }, (_, index) =>
          Object.defineProperty({}, 'a', {
            enumerable: true,
            get() {
              visited += 1;
              return index;
            },
          }),
        ),
      ),
    };
    expect(pool.share(large).lists).toHaveLength(100);
    expect(visited).toBeLessThanOrEqual(20_000);
    expect(pool.share(large)).toEqual(large);
    expect(last(pool, 'guestbook').spec).toBe(last(pool, 'guestbook').spec);
  });

  it('keeps integers exact that are too long for a number', () => {
    const pool = createStructurePool();
    const text = '{"a":{"account":12345678901234567890}}';
    for (let i = 0; i < 4; i += 1) {
      expect(JSON.stringify(pool.share(parseExactJson(text)))).toBe(text);
    }
  });

  it('does not share parts that are nested too deep', () => {
    const pool = createStructurePool();
    const text = `${'['.repeat(9_999)}${']'.repeat(9_999)}`;
    expect(pool.share(JSON.parse(text))).toBeInstanceOf(Array);
  });
});
