import { isJsonObject } from '../objects';
import { Operand, Operator, parseJsonPath, Step } from './parseJsonPath';

/**
 * Parses a path once for many objects. The returned function finds everything that the path names in `root`, as
 * client-go does with missing keys allowed: a missing key finds nothing.
 *
 * @throws Error in client-go's words, now when the path cannot be parsed, and from the returned function when it cannot
 * be followed, for example at an index out of bounds.
 */
export function compileJsonPath(path: string): (root: unknown) => unknown[] {
  const steps = parseJsonPath(path);
  return root => follow(steps, [root]);
}

const compiled = new Map<string, (root: unknown) => unknown[]>();

/** {@link compileJsonPath} and the search in one; each path is parsed once for the life of the process. */
export function findJsonPath(path: string, root: unknown): unknown[] {
  let find = compiled.get(path);
  if (!find) {
    find = compileJsonPath(path);
    compiled.set(path, find);
  }
  return find(root);
}

function follow(steps: readonly Step[], from: unknown[]): unknown[] {
  let values = from;
  for (const step of steps) {
    const present = values.filter(
      value => value !== null && value !== undefined,
    );
    values = present.flatMap(value => applyStep(step, value));
  }
  return values;
}

function applyStep(step: Step, value: unknown): unknown[] {
  switch (step.type) {
    case 'field':
      return isJsonObject(value) && step.name in value
        ? [value[step.name]]
        : [];
    case 'wildcard':
      return children(value);
    case 'recursive':
      return [
        value,
        ...children(value).flatMap(child => applyStep(step, child)),
      ];
    case 'slice':
      return slice(step, arrayOf(value, 'is not array or slice'));
    case 'union':
      return step.alternatives.flatMap(steps => follow(steps, [value]));
    case 'filter':
      return arrayOf(
        value,
        'is not array or slice and cannot be filtered',
      ).filter(element => matchesFilter(step, element));
    default:
      throw new Error(`unexpected step ${JSON.stringify(step)}`);
  }
}

function children(value: unknown): unknown[] {
  if (Array.isArray(value)) {
    return value;
  }
  return isJsonObject(value) ? Object.values(value) : [];
}

function arrayOf(value: unknown, problem: string): unknown[] {
  if (!Array.isArray(value)) {
    throw new Error(`${goType(value)} ${problem}`);
  }
  return value;
}

function slice(
  step: Extract<Step, { type: 'slice' }>,
  array: unknown[],
): unknown[] {
  return sliceIndexes(step, array.length).map(index => array[index]);
}

/**
 * The indexes that an index or a slice selects in an array of that length.
 *
 * @throws RangeError in client-go's words, when it is out of bounds.
 */
export function sliceIndexes(
  step: Extract<Step, { type: 'slice' }>,
  length: number,
): number[] {
  let start = step.start ?? 0;
  if (start < 0) {
    start += length;
  }
  let end = step.end ?? length;
  if (end < 0 || (end === 0 && step.single)) {
    end += length;
  }
  if (start === end) {
    return [];
  }
  if (start >= length || start < 0) {
    throw new RangeError(
      `array index out of bounds: index ${start}, length ${length}`,
    );
  }
  if (end > length || end < 0) {
    throw new RangeError(
      `array index out of bounds: index ${end - 1}, length ${length}`,
    );
  }
  if (start > end) {
    throw new RangeError(
      `starting index ${start} is greater than ending index ${end}`,
    );
  }
  const by = step.step ?? 1;
  if (by <= 0) {
    throw new RangeError('step must be > 0');
  }
  const first = start;
  return Array.from({ length: end - first }, (_, index) => index)
    .filter(index => index % by === 0)
    .map(index => first + index);
}

/** Whether an element of an array matches a filter. */
export function matchesFilter(
  { left, operator, right }: Extract<Step, { type: 'filter' }>,
  element: unknown,
): boolean {
  const lefts = operandValues(left, element);
  if (!operator || !right) {
    return lefts.length > 0;
  }
  const rights = operandValues(right, element);
  if (lefts.length === 0 || rights.length === 0) {
    return false;
  }
  if (lefts.length > 1 || rights.length > 1) {
    throw new Error('can only compare one element at a time');
  }
  return compare(lefts[0], operator, rights[0]);
}

function operandValues(operand: Operand, element: unknown): unknown[] {
  return operand.type === 'value'
    ? [operand.value]
    : follow(operand.steps, [element]);
}

function compare(left: unknown, operator: Operator, right: unknown): boolean {
  if (typeof left !== typeof right) {
    throw new Error('incompatible types for comparison');
  }
  if (operator === '==') {
    return left === right;
  }
  if (operator === '!=') {
    return left !== right;
  }
  if (typeof left === 'string' && typeof right === 'string') {
    return inOrder(left, operator, right);
  }
  if (typeof left === 'number' && typeof right === 'number') {
    return inOrder(left, operator, right);
  }
  throw new Error('invalid type for comparison');
}

function inOrder<T extends string | number>(
  left: T,
  operator: Operator,
  right: T,
): boolean {
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    default:
      return left >= right;
  }
}

/** The Go type of a JSON value in an unstructured object, for error messages. */
export function goType(value: unknown): string {
  if (Array.isArray(value)) {
    return '[]interface {}';
  }
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    default:
      return 'map[string]interface {}';
  }
}
