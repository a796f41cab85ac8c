import fc from 'fast-check';
import { createUnchangedKeys } from './unchangedKeys';

const a = { a: 1 };

describe('settled keys', () => {
  it('confirms a key with the same objects, and not with equal ones', () => {
    const settled = createUnchangedKeys();
    settled.settle('x', [a, 'text']);
    settled.beginPass();
    expect(settled.confirm('x', () => [{ ...a }, 'text'])).toBe(false);
    expect(settled.confirm('x', () => [a])).toBe(false);
    expect(settled.confirm('x', () => undefined)).toBe(false);
    expect(settled.confirm('x', () => [a, 'text'])).toBe(true);
  });

  it('is asked about a key by others without taking that for its being named', () => {
    const settled = createUnchangedKeys();
    settled.settle('x', [a]);
    expect(settled.holds('x', () => [a])).toBe(true);
    expect(settled.holds('x', () => [{ ...a }])).toBe(false);
    expect(settled.holds('y', () => [a])).toBe(false);
    settled.beginPass();
    settled.holds('x', () => [a]);
    settled.endPass();
    expect(settled.has('x')).toBe(false);
  });

  it('does not ask for the inputs of a key that was never settled', () => {
    const settled = createUnchangedKeys();
    settled.beginPass();
    const inputsOf = jest.fn();
    expect(settled.confirm('x', inputsOf)).toBe(false);
    expect(inputsOf).not.toHaveBeenCalled();
  });

  it('forgets a key that a pass did not name', () => {
    const settled = createUnchangedKeys();
    settled.settle('x', [a]);
    settled.beginPass();
    settled.endPass();
    settled.beginPass();
    expect(settled.confirm('x', () => [a])).toBe(false);
  });

  it('forgets nothing where a pass is broken off', () => {
    const settled = createUnchangedKeys();
    settled.settle('x', [a]);
    settled.settle('y', [a]);
    settled.beginPass();
    settled.confirm('x', () => [a]);
    settled.beginPass();
    expect(settled.confirm('x', () => [a])).toBe(true);
    expect(settled.confirm('y', () => [a])).toBe(true);
  });

  it('misses no change: whatever happens between and during passes, a pass leaves alone only what was decided on as it is now', () => {
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
        const settled = createUnchangedKeys();
        const now = new Map(['k1', 'k2', 'k3'].map(name => [name, {}]));
        /** What each key was last found with to need nothing. */
        const decided = new Map<string, object | undefined>();
        for (const it of events) {
          if (it.type === 'change') {
            now.set(it.key, {});
          } else if (it.type === 'work') {
            settled.unsettle(it.key);
            decided.delete(it.key);
            const inputs = now.get(it.key)!;
            if (it.changesMeanwhile) {
              now.set(it.key, {});
            }
            if (!it.writes) {
              settled.settle(it.key, [inputs]);
              decided.set(it.key, inputs);
            }
          } else {
            settled.beginPass();
            for (const name of [...now.keys()].slice(0, it.upTo)) {
              wrong ||=
                settled.confirm(name, asked => [now.get(asked)]) !==
                (decided.get(name) === now.get(name));
            }
            if (it.upTo >= 3) {
              settled.endPass();
            }
          }
        }
        expect(wrong).toBe(false);
      }),
    );
  });
});
