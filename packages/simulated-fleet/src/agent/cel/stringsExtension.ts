import { Environment } from '@marcbachmann/cel-js';

import { isJsonObject } from '../../kubernetes/json';

/**
 * Functions whose positions the CEL library counts in UTF-16 units, with the
 * names of their replacements: a registered function cannot be overridden. Old
 * and new names have the same length, so that positions in errors stay right.
 */
const IN_CODE_POINTS: Readonly<Record<string, string>> = {
  substring: 'sub_runes',
  indexOf: 'rune_of',
  lastIndexOf: 'lastRune_of',
};

const LITERAL_OR_CALL =
  /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\.(substring|indexOf|lastIndexOf)(?=\()/g;

/** Replaces calls of the library's functions by those of {@link withAgentFunctions}. */
export function inCodePoints(expression: string): string {
  return expression.replace(LITERAL_OR_CALL, (whole, name?: string) =>
    name ? `.${IN_CODE_POINTS[name]}` : whole,
  );
}

/**
 * Adds the functions of cel-go's strings extension and OCM's conditions library
 * that the CEL library lacks. Positions count code points, as in cel-go.
 * https://pkg.go.dev/github.com/google/cel-go/ext#Strings
 */
export function withAgentFunctions(environment: Environment): Environment {
  return environment
    .registerFunction('string.sub_runes(int): string', (text: string, start) =>
      substring(text, start),
    )
    .registerFunction('string.sub_runes(int, int): string', substring)
    .registerFunction(
      'string.rune_of(string): int',
      (text: string, searched: string) =>
        position(text, text.indexOf(searched)),
    )
    .registerFunction(
      'string.lastRune_of(string): int',
      (text: string, searched: string) =>
        position(text, text.lastIndexOf(searched)),
    )
    .registerFunction(
      'string.replace(string, string): string',
      (text: string, from: string, to: string) =>
        text.replaceAll(from, () => to),
    )
    .registerFunction(
      'string.replace(string, string, int): string',
      (text: string, from: string, to: string, limit: bigint) =>
        replaceSome(text, from, to, Number(limit)),
    )
    .registerFunction('string.charAt(int): string', charAt)
    .registerFunction('string.reverse(): string', (text: string) =>
      [...text].reverse().join(''),
    )
    .registerFunction('string.format(list): string', format)
    .registerFunction('hasConditions(dyn): bool', (status: unknown) =>
      hasConditions(status),
    );
}

const SURROGATE = /[\ud800-\udfff]/;

function substring(text: string, start: bigint, end?: bigint): string {
  // Most texts have no surrogate pairs: then a list of characters is not needed.
  const characters = SURROGATE.test(text) ? [...text] : text;
  const from = Number(start);
  const to = end === undefined ? characters.length : Number(end);
  if (from < 0 || to > characters.length || from > to) {
    throw new Error(`index out of range: ${from < 0 || from > to ? from : to}`);
  }
  return typeof characters === 'string'
    ? characters.slice(from, to)
    : characters.slice(from, to).join('');
}

/** Converts an index in UTF-16 units to one in characters; negative for none. */
function position(text: string, index: number): bigint {
  return BigInt(index < 0 ? index : [...text.slice(0, index)].length);
}

function replaceSome(
  text: string,
  from: string,
  to: string,
  limit: number,
): string {
  if (limit < 0) {
    return text.replaceAll(from, () => to);
  }
  let rest = text;
  let replaced = '';
  for (let count = 0; count < limit; count += 1) {
    const at = rest.indexOf(from);
    if (at < 0) {
      break;
    }
    replaced += rest.slice(0, at) + to;
    rest = rest.slice(at + from.length);
  }
  return replaced + rest;
}

function charAt(text: string, index: bigint): string {
  const characters = [...text];
  const at = Number(index);
  if (at < 0 || at > characters.length) {
    throw new Error(`index out of range: ${at}`);
  }
  return characters[at] ?? '';
}

function format(template: string, values: unknown[]): string {
  let next = 0;
  const formatted = template.replace(
    /%(?:%|(?:\.(\d+))?([sdfexXob]))/g,
    (whole, precision: string | undefined, verb: string | undefined) => {
      if (!verb) {
        return '%';
      }
      if (next >= values.length) {
        throw new Error(`index ${next} out of range`);
      }
      return formatOne(values[next++], verb, precision, whole);
    },
  );
  return formatted;
}

function formatOne(
  value: unknown,
  verb: string,
  precision: string | undefined,
  clause: string,
): string {
  const number = typeof value === 'bigint' || typeof value === 'number';
  if (verb === 's') {
    return asText(value);
  }
  if (verb === 'd' && typeof value === 'bigint') {
    return value.toString();
  }
  if (verb === 'f' && number) {
    return Number(value).toFixed(Number(precision ?? 6));
  }
  if (verb === 'e' && number) {
    return Number(value).toExponential(Number(precision ?? 6));
  }
  const radix = { x: 16, X: 16, o: 8, b: 2 }[verb];
  if (radix && typeof value === 'bigint') {
    const digits = value.toString(radix);
    return verb === 'X' ? digits.toUpperCase() : digits;
  }
  throw new Error(
    `error during formatting: no formatting function for clause ${clause} and a value of type ${typeof value}`,
  );
}

function asText(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(asText).join(', ')}]`;
  }
  if (isJsonObject(value)) {
    const entries = Object.entries(value).map(
      ([key, nested]) => `${key}: ${asText(nested)}`,
    );
    return `{${entries.sort().join(', ')}}`;
  }
  return String(value);
}

/** OCM's `hasConditions(status)`: whether the status has at least one condition. */
function hasConditions(status: unknown): boolean {
  if (status instanceof Map) {
    return hasConditions(Object.fromEntries(status));
  }
  return (
    isJsonObject(status) &&
    Array.isArray(status.conditions) &&
    status.conditions.length > 0
  );
}
