import fc from 'fast-check';
import { SEED } from '../__testUtils__/randomCases';
import { createUnchangedKeys } from './unchangedKeys';

const a = { a: 1 };

describe('unchanged keys', () => {
  it('confirms a key with the same objects, and not with equal ones', () => {
    const unchanged = createUnchangedKeys();
    unchanged.set('x', [a, 'text']);
    unchanged.beginPass();
    expect(unchanged.confirm('x', () => [{ ...a }, 'text'])).toBe(false);
    expect(unchanged.confirm('x', () => [a])).toBe(false);
    expect(unchanged.confirm('x', () => undefined)).toBe(false);
    expect(unchanged.confirm('x', () => [a, 'text'])).toBe(true);
  });

  it('does not count a key as listed by the pass when it is only checked', () => {
    const unchanged = createUnchangedKeys();
    unchanged.set('x', [a]);
    expect(unchanged.holds('x', () => [a])).toBe(true);
    expect(unchanged.holds('x', () => [{ ...a }])).toBe(false);
    expect(unchanged.holds('y', () => [a])).toBe(false);
    unchanged.beginPass();
    unchanged.holds('x', () => [a]);
    unchanged.endPass();
    expect(unchanged.has('x')).toBe(false);
  });

  it('does not read the dependencies of a key that was never set', () => {
    const unchanged = createUnchangedKeys();
    unchanged.beginPass();
    const dependenciesOf = jest.fn();
    expect(unchanged.confirm('x', dependenciesOf)).toBe(false);
    expect(dependenciesOf).not.toHaveBeenCalled();
  });

  it('drops a key that a pass did not list', () => {
    const unchanged = createUnchangedKeys();
    unchanged.set('x', [a]);
    unchanged.beginPass();
    unchanged.endPass();
    unchanged.beginPass();
    expect(unchanged.confirm('x', () => [a])).toBe(false);
  });

  it('drops nothing when a pass is interrupted', () => {
    const unchanged = createUnchangedKeys();
    unchanged.set('x', [a]);
    unchanged.set('y', [a]);
    unchanged.beginPass();
    unchanged.confirm('x', () => [a]);
    unchanged.beginPass();
    expect(unchanged.confirm('x', () => [a])).toBe(true);
    expect(unchanged.confirm('y', () => [a])).toBe(true);
  });

  it('misses no change: whatever happens between and during passes, a pass skips only keys whose dependencies are those of their last reconcile', () => {
    const key = fc.constantFrom('k1', 'k2', 'k3');
    const event = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({ type: fc.constant('change' as const), key }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          type: fc.constant('work' as const),
          key,
          writes: fc.boolean(),
          changesMeanwhile: fc.boolean(),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          type: fc.constant('pass' as const),
          upTo: fc.nat(4),
        }),
      },
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), events => {
        let wrong = false;
        const unchanged = createUnchangedKeys();
        const now = new Map(['k1', 'k2', 'k3'].map(name => [name, {}]));
        /** The dependencies with which each key was last found to need nothing. */
        const decided = new Map<string, object | undefined>();
        for (const it of events) {
          if (it.type === 'change') {
            now.set(it.key, {});
          } else if (it.type === 'work') {
            unchanged.delete(it.key);
            decided.delete(it.key);
            const inputs = now.get(it.key)!;
            if (it.changesMeanwhile) {
              now.set(it.key, {});
            }
            if (!it.writes) {
              unchanged.set(it.key, [inputs]);
              decided.set(it.key, inputs);
            }
          } else {
            unchanged.beginPass();
            for (const name of [...now.keys()].slice(0, it.upTo)) {
              wrong ||=
                unchanged.confirm(name, asked => [now.get(asked)]) !==
                (decided.get(name) === now.get(name));
            }
            if (it.upTo >= 3) {
              unchanged.endPass();
            }
          }
        }
        expect(wrong).toBe(false);
      }),
      { seed: SEED },
    );
  });
});
