import fc from 'fast-check';
import { SEED } from '../../__testUtils__/randomCases';
import { createObjectIndex } from './objectIndex';

it('finds the same keys as a set for each value', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const step = fc.record({ add: fc.boolean(), value: name, key: name });
  fc.assert(
    fc.property(fc.array(step), steps => {
      const index = createObjectIndex();
      const model = new Map<string, Set<string>>();
      for (const { add, value, key } of steps) {
        const keys = model.get(value) ?? new Set();
        if (add) {
          index.add(value, key);
          keys.add(key);
        } else {
          index.remove(value, key);
          keys.delete(key);
        }
        model.set(value, keys);
      }
      for (const [value, keys] of model) {
        const found = index.keys(value) ?? [];
        expect(typeof found === 'string' ? [found] : [...found].sort()).toEqual(
          [...keys].sort(),
        );
      }
      expect([...index.values()].sort()).toEqual(
        [...model]
          .flatMap(([value, keys]) => (keys.size > 0 ? value : []))
          .sort(),
      );
    }),
    { seed: SEED },
  );
});
