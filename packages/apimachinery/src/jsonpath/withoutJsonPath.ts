import { isJsonObject } from '../objects';
import { sliceIndexes, matchesFilter } from './findJsonPath';
import { parseJsonPath, Step } from './parseJsonPath';

const REMOVED = Symbol('removed');

/**
 * A copy without everything that a path finds.
 *
 * @throws Error in client-go's words, when the path cannot be parsed.
 */
export function withoutJsonPath<T extends object>(root: T, path: string): T {
  const steps = parseJsonPath(path);
  const result = steps.length > 0 ? remove(root, steps) : root;
  // Steps remove children, never the root itself.
  return result as T;
}

function remove(value: unknown, steps: readonly Step[]): unknown {
  const [step, ...rest] = steps;
  if (!step) {
    return REMOVED;
  }
  switch (step.type) {
    case 'field':
      return changed(value, key => key === step.name, rest);
    case 'wildcard':
      return changed(value, () => true, rest);
    case 'slice': {
      const indexes = indexesOf(step, value);
      return changed(value, key => indexes.has(Number(key)), rest);
    }
    case 'filter':
      return Array.isArray(value)
        ? changed(value, key => matchesFilter(step, value[Number(key)]), rest)
        : value;
    case 'union':
      return step.alternatives.reduce(
        (left, alternative) => remove(left, [...alternative, ...rest]),
        value,
      );
    case 'recursive': {
      const here = remove(value, rest);
      return here === REMOVED
        ? here
        : eachChild(here, child => remove(child, steps));
    }
    default:
      return value;
  }
}

/** A copy in which the rest of the path is applied to the chosen children. */
function changed(
  value: unknown,
  chosen: (key: string) => boolean,
  rest: readonly Step[],
): unknown {
  return eachChild(value, (child, key) =>
    chosen(key) ? remove(child, rest) : child,
  );
}

function eachChild(
  value: unknown,
  change: (child: unknown, key: string) => unknown,
): unknown {
  if (Array.isArray(value)) {
    return value
      .map((child, index) => change(child, String(index)))
      .filter(child => child !== REMOVED);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, child]) => [key, change(child, key)] as const)
      .filter(([, child]) => child !== REMOVED),
  );
}

/** The indexes that a slice selects. An index out of bounds selects none here, unlike in `findJsonPath`. */
function indexesOf(
  step: Extract<Step, { type: 'slice' }>,
  value: unknown,
): ReadonlySet<number> {
  if (!Array.isArray(value)) {
    return new Set();
  }
  try {
    return new Set(sliceIndexes(step, value.length));
  } catch (error) {
    if (error instanceof RangeError) {
      return new Set();
    }
    throw error;
  }
}
