import { randomUUID } from 'node:crypto';

declare global {
  interface JSON {
    /** @see https://github.com/tc39/proposal-json-parse-with-source */
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

/**
 * Levels of nested lists and objects that are read unless a resource has another limit; kube-apiserver stores nearly
 * 10,000. Whatever walks over a parsed value may call itself for each level.
 */
export const MAX_DEPTH = 200;

/** A JSON text whose lists and objects nest deeper than is read. */
export class TooDeepError extends Error {
  readonly name = 'TooDeepError';

  constructor() {
    super('lists and objects nest too deep');
  }
}

/** A level takes at least two characters. */
const MIN_DEEP_LENGTH = 2 * MAX_DEPTH;

/** Only texts with so long a number need more than `JSON.parse`; nearly all have none. Digits in texts match too. */
const LONG_NUMBER = /[:[,]\s*-?\d{16}/;

/** What marks a long integer between the two steps of parsing; known to this process alone, so that no text has it. */
const MARK = `${randomUUID()} `;

/**
 * Parses JSON and keeps integers that a JavaScript number cannot hold: they become raw JSON, which `JSON.stringify`
 * writes as it was read. An integer in a manifest must not reach a cluster rounded. Libraries for this parse in
 * JavaScript, and the reviver of `JSON.parse` is called for every value: both take many times as long.
 * @param ofTooDeep - makes the result of a value that nests too deep; it was parsed without exact integers
 * @param maxDepth - levels that are read; no fewer than {@link MAX_DEPTH}
 * @throws SyntaxError, and TooDeepError where there is no `ofTooDeep`
 */
export function parseExactJson<T>(
  text: string,
  ofTooDeep?: (value: unknown) => T,
  maxDepth: number = MAX_DEPTH,
): T {
  const hasLong = LONG_NUMBER.test(text);
  // V8 parses without recursion.
  const value: unknown = JSON.parse(hasLong ? marked(text) : text);
  try {
    if (hasLong) {
      return unmarked(value, maxDepth) as T;
    }
    if (text.length >= MIN_DEEP_LENGTH) {
      checkDepth(value, maxDepth);
    }
    return value as T;
  } catch (error) {
    if (ofTooDeep && error instanceof TooDeepError) {
      return ofTooDeep(value);
    }
    throw error;
  }
}

function marked(text: string): string {
  const pieces: string[] = [];
  /** The beginning of a text, or a number that has as many characters as a long one. */
  const tokens = /"|[-+.\dEe]{16,}/g;
  let copied = 0;
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    const [found] = token;
    if (found === '"') {
      tokens.lastIndex = endOfText(text, token.index);
    } else if (/^-?\d+$/.test(found) && !Number.isSafeInteger(Number(found))) {
      pieces.push(text.slice(copied, token.index), `"${MARK}${found}"`);
      copied = tokens.lastIndex;
    }
  }
  return pieces.join('') + text.slice(copied);
}

/** Behind the quote that ends the text; not by a regular expression, whose stack a text of escapes exhausts. */
function endOfText(json: string, start: number): number {
  for (let end = start; ;) {
    end = json.indexOf('"', end + 1);
    if (end < 0) {
      return json.length;
    }
    let backslashes = 0;
    while (json[end - 1 - backslashes] === '\\') {
      backslashes += 1;
    }
    if (backslashes % 2 === 0) {
      return end + 1;
    }
  }
}

/**
 * The value with raw JSON in the place of marked integers; lists and objects are changed.
 * @param levels - as for {@link checkDepth}
 * @throws TooDeepError
 */
function unmarked(value: unknown, levels: number): unknown {
  if (typeof value === 'string' && value.startsWith(MARK)) {
    return JSON.rawJSON(value.slice(MARK.length));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  checkLevels(levels);
  // Plain loops, here and below: a large object has hundreds of thousands of values.
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) {
      value[i] = unmarked(value[i], levels - 1);
    }
  } else {
    const parts = value as Record<string, unknown>;
    for (const key of Object.keys(parts)) {
      parts[key] = unmarked(parts[key], levels - 1);
    }
  }
  return value;
}

/**
 * @param levels - of lists and objects that the value may have; the function calls itself no deeper
 * @throws TooDeepError
 */
function checkDepth(value: unknown, levels: number) {
  if (typeof value !== 'object' || value === null) {
    return;
  }
  checkLevels(levels);
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) {
      checkDepth(value[i], levels - 1);
    }
  } else {
    const parts = value as Readonly<Record<string, unknown>>;
    for (const key of Object.keys(parts)) {
      checkDepth(parts[key], levels - 1);
    }
  }
}

function checkLevels(levels: number) {
  if (levels === 0) {
    throw new TooDeepError();
  }
}
