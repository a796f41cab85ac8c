/**
 * Stores equal parts of objects once. Our own code: it runs for every object of the cache and must not copy or wrap
 * what it shares.
 */
export interface StructurePool {
  /**
   * Returns an equal object that shares equal strings, arrays and objects with earlier ones. Shared parts are frozen.
   * The object given is not changed, but may be returned, or parts of it.
   */
  share<T>(object: T): T;
}

/** A string or a part that was seen, with its number in the hashes of the parts that contain it. */
interface Known<T> {
  readonly value: T;
  readonly id: number;
}

/** A pool remembers up to twice so many strings and so many parts. */
const DEFAULT_GENERATION = 8_000;

/** Deeper parts are not shared: such an object must not exhaust the stack. */
const MAX_DEPTH = 100;

/** Nor more values of one object: anybody may make one large, and it must not keep the process busy. */
const MAX_VALUES = 10_000;

/** The id of a value that was not seen before, or that has such a part: then it was not seen before either. */
const UNKNOWN = 0;

/**
 * Creates an empty pool. Objects of one resource are mostly copies of few templates, and most of a template is equal in
 * every copy: labels, specs, rules of kilobytes.
 *
 * Children are shared before their parents, so parts are compared by the identity of their children, and each part is
 * visited once. A part is remembered only when all of its children were known: unique parts, which every object has,
 * fill no memory. A template is therefore shared from about its fifth copy on.
 * @param generation - after so many new entries, those that were not used since the last time are dropped
 */
export function createStructurePool(
  generation: number = DEFAULT_GENERATION,
): StructurePool {
  const texts = createMemory<string, Known<string>>(generation);
  const parts = createMemory<number, Known<object>>(generation);
  let lastId = UNKNOWN;
  /** The id of the value that `visit` returned last. */
  let id = UNKNOWN;
  /** How many more values of the object may be visited. */
  let left = 0;

  function nextId(): number {
    lastId = (lastId % 0x3fffffff) + 1;
    return lastId;
  }

  function visit(value: unknown, depth: number): unknown {
    if (typeof value === 'string') {
      return visitText(value);
    }
    if (typeof value === 'object' && value !== null) {
      if (JSON.isRawJSON(value)) {
        // A number that is too long for JavaScript; a copy would be an object.
        id = UNKNOWN;
        return value;
      }
      if (depth > MAX_DEPTH || Object.getPrototypeOf(value) === null) {
        id = UNKNOWN;
        return value;
      }
      return visitPart(value, depth + 1);
    }
    id = typeof value === 'number' ? (value | 0) ^ 0x5bd1e995 || 1 : 1;
    return value;
  }

  function visitText(text: string): string {
    const known = texts.get(text);
    if (known) {
      id = known.id;
      return known.value;
    }
    texts.set(text, { value: text, id: nextId() });
    id = UNKNOWN;
    return text;
  }

  function visitPart(part: object, depth: number): object {
    const keys = Array.isArray(part) ? undefined : Object.keys(part);
    const values = part as Readonly<Record<string | number, unknown>>;
    const length = keys?.length ?? (part as readonly unknown[]).length;
    if (length > left) {
      id = UNKNOWN;
      return part;
    }
    left -= length;
    const children: unknown[] = new Array(length);
    let hash = keys ? 31 : 17;
    let known = true;
    for (let i = 0; i < length; i += 1) {
      children[i] = visit(values[keys?.[i] ?? i], depth);
      if (id === UNKNOWN) {
        known = false;
      } else {
        hash = (Math.imul(hash, 0x01000193) ^ id) | 0;
      }
    }
    const remembered = known ? parts.get(hash) : undefined;
    if (remembered && isMadeOf(remembered.value, keys, children)) {
      id = remembered.id;
      return remembered.value;
    }
    const result = keys ? { ...part } : children;
    keys?.forEach((key, i) => {
      (result as Record<string, unknown>)[key] = children[i];
    });
    if (known) {
      parts.set(hash, { value: Object.freeze(result), id: nextId() });
    }
    id = UNKNOWN;
    return result;
  }

  return {
    share<T>(object: T) {
      left = MAX_VALUES;
      return visit(object, 0) as T;
    },
  };
}

/**
 * Equal children are identical: they were shared before their parents. The order of keys counts, as it does in patches.
 */
function isMadeOf(
  candidate: object,
  keys: readonly string[] | undefined,
  children: readonly unknown[],
): boolean {
  if (!keys || Array.isArray(candidate)) {
    return (
      !keys && Array.isArray(candidate) && sameElements(candidate, children)
    );
  }
  return (
    sameElements(Object.keys(candidate), keys) &&
    keys.every(
      (key, i) => (candidate as Record<string, unknown>)[key] === children[i],
    )
  );
}

function sameElements(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) {
    return false;
  }
  for (let i = 0; i < a.length; i += 1) {
    if (a[i] !== b[i]) {
      return false;
    }
  }
  return true;
}

interface Memory<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
}

/** Drops entries that were not read during the last generation. */
function createMemory<K, V>(generation: number): Memory<K, V> {
  let young = new Map<K, V>();
  let old = new Map<K, V>();
  function set(key: K, value: V) {
    if (young.size >= generation) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  }
  return {
    get(key) {
      const found = young.get(key);
      if (found !== undefined) {
        return found;
      }
      const older = old.get(key);
      if (older !== undefined) {
        set(key, older);
      }
      return older;
    },
    set,
  };
}
