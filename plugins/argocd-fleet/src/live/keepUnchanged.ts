/** What identifies the items of an array, by the name of its property; the items of other arrays by their position. */
export type ItemKeys = Readonly<Record<string, (item: any) => string>>;

/**
 * The new answer with each part that is deeply equal to the one before replaced by the one before, so that memoised
 * components of unchanged parts do not render again. Both are JSON.
 */
export function keepUnchanged<T>(before: unknown, after: T, keys: ItemKeys): T {
  return share(before, after, keys) as T;
}

function share(
  before: unknown,
  after: unknown,
  keys: ItemKeys,
  property = '',
): unknown {
  if (Array.isArray(before) && Array.isArray(after)) {
    const keyOf = ownValue(keys, property);
    const known = keyOf && new Map(before.map(item => [keyOf(item), item]));
    const items = after.map((item, index) =>
      share(known ? known.get(keyOf(item)) : before[index], item, keys),
    );
    return items.length === before.length &&
      items.every((item, index) => item === before[index])
      ? before
      : items;
  }
  if (isObject(before) && isObject(after)) {
    const entries = Object.entries(after).map(([name, value]) => [
      name,
      share(ownValue(before, name), value, keys, name),
    ]);
    return entries.length === Object.keys(before).length &&
      entries.every(
        ([name, value]) => value === ownValue(before, name as string),
      )
      ? before
      : Object.fromEntries(entries);
  }
  return after;
}

/** Labels may have names such as `constructor`, which every object inherits. */
function ownValue<T>(
  object: Readonly<Record<string, T>>,
  name: string,
): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
