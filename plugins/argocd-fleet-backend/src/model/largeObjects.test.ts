import {
  ENTRY_POINTS,
  READS_WHOLE,
  SHAPES,
  stored,
  type LargeObjects,
} from './__testUtils__/largeObjects';

const COUNT = 150;

/** Twice as many elements may be read so many times as often; sorting them takes a little more than twice. */
const MAX_RATIO = 2.5;
/** Reads that do not depend on the number of elements. */
const FEW = 2_000;

/** How often properties of the objects, and of all in them, are read; and how many characters of JSON in them. */
function readsOf(
  run: (objects: LargeObjects) => unknown,
  objects: LargeObjects,
): number {
  let reads = 0;
  const proxies = new WeakMap<object, object>();
  function counted<T>(value: T): T {
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    const known = proxies.get(value);
    if (known) {
      return known as T;
    }
    // The target is not frozen: a proxy of a frozen object must return its properties as they are.
    const target = Array.isArray(value) ? [...value] : { ...value };
    const proxy = new Proxy(target, {
      get(from, key) {
        reads += 1;
        return counted(Reflect.get(from, key));
      },
    });
    proxies.set(value, proxy);
    return proxy as T;
  }
  const { parse } = JSON;
  const parsing = jest.spyOn(JSON, 'parse').mockImplementation(text => {
    reads += text.length;
    return parse(text);
  });
  run(
    Object.fromEntries(
      Object.entries(objects).map(([name, object]) => [name, counted(object)]),
    ) as unknown as LargeObjects,
  );
  parsing.mockRestore();
  return reads;
}

describe.each(Object.entries(SHAPES))('of objects with many %s', (_, make) => {
  it.each(Object.entries(ENTRY_POINTS))(
    'twice as many are read twice as often: %s',
    (name, run) => {
      const objects = (count: number) =>
        READS_WHOLE.has(name) ? make(count) : stored(make(count));
      const few = readsOf(run, objects(COUNT));
      const many = readsOf(run, objects(2 * COUNT));
      expect(many).toBeLessThanOrEqual(few * MAX_RATIO + FEW);
    },
  );
});
