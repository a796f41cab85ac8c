/** Has equal parts of objects be one part in memory. */
export interface StructurePool {
  /**
   * An equal object that shares equal texts, lists and objects with those that were given before. What is shared is frozen. The object
   * given is not changed, but the answer may be it, or have parts of it.
   */
  share<T>(object: T): T;
}

/** A text or a part that was seen, with a number that stands for it in the hashes of the parts that contain it. */
interface Known<T> {
  readonly value: T;
  readonly id: number;
}

/** A pool remembers up to twice so many texts and so many parts. */
const DEFAULT_GENERATION = 8_000;

/** What is nested deeper is left as it is: somebody's nonsense, which must not exhaust the stack. */
const MAX_DEPTH = 100;

/** Stands for what was not seen before, and for what has such a part: that cannot have been seen before either. */
const UNKNOWN = 0;

/**
 * Creates an empty pool. The objects of a fleet are mostly copies of few templates, and most of what makes a template comes in every
 * copy: labels, sources, sync policies, rules of kilobytes.
 *
 * Parts are compared by their children's identities, which are shared already, so each is looked at once and by its own fields only. A
 * part is remembered when all of its children were known, so that what is unique (and each object has something) fills no memory; a
 * template is therefore shared from its fifth or so copy on.
 * @param generation - when so many new ones have come, what was not used since the last time is forgotten
 */
export function createStructurePool(
  generation: number = DEFAULT_GENERATION,
): StructurePool {
  const texts = createMemory<string, Known<string>>(generation);
  const parts = createMemory<number, Known<object>>(generation);
  let lastId = UNKNOWN;
  /** What stands for the value that `visit` returned last. */
  let id = UNKNOWN;

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
        // A number too long for JavaScript; a copy would be an object.
        id = UNKNOWN;
        return value;
      }
      // Raw JSON, which stands for a number that is too long, has no prototype and is more than its fields.
      if (depth > MAX_DEPTH || Object.getPrototypeOf(value) === null) {
        id = UNKNOWN;
        return value;
      }
      return visitPart(value as Record<string, unknown>, depth + 1);
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

  function visitPart(
    part: Readonly<Record<string, unknown>>,
    depth: number,
  ): object {
    const isList = Array.isArray(part);
    const keys = Object.keys(part);
    const children: unknown[] = new Array(keys.length);
    let hash = isList ? 17 : 31;
    let known = true;
    for (let i = 0; i < keys.length; i += 1) {
      children[i] = visit(part[keys[i]], depth);
      if (id === UNKNOWN) {
        known = false;
      } else {
        hash = (Math.imul(hash, 0x01000193) ^ id) | 0;
      }
    }
    const remembered = known ? parts.get(hash) : undefined;
    if (remembered && isMadeOf(remembered.value, part, keys, children)) {
      id = remembered.id;
      return remembered.value;
    }
    const result = isList ? children : { ...part };
    if (!isList) {
      for (let i = 0; i < keys.length; i += 1) {
        (result as Record<string, unknown>)[keys[i]] = children[i];
      }
    }
    if (known) {
      parts.set(hash, { value: Object.freeze(result), id: nextId() });
    }
    id = UNKNOWN;
    return result;
  }

  return {
    share: <T>(object: T) => visit(object, 0) as T,
  };
}

/** Equal children are the same child: they were shared before their parents. Order counts, as it does in what is sent to the hub. */
function isMadeOf(
  candidate: object,
  part: object,
  keys: readonly string[],
  children: readonly unknown[],
): boolean {
  if (Array.isArray(candidate) !== Array.isArray(part)) {
    return false;
  }
  const others = Object.keys(candidate);
  if (others.length !== keys.length) {
    return false;
  }
  for (let i = 0; i < keys.length; i += 1) {
    if (
      others[i] !== keys[i] ||
      (candidate as Record<string, unknown>)[keys[i]] !== children[i]
    ) {
      return false;
    }
  }
  return true;
}

interface Memory<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
}

/** Forgets what has not been asked for while a generation of new ones came. */
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
