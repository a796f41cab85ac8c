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
  const isDeep = nestsDeeper(text, maxDepth);
  const hasLong = !isDeep && LONG_NUMBER.test(text);
  // V8 parses without recursion.
  const value: unknown = JSON.parse(hasLong ? marked(text) : text);
  if (isDeep) {
    if (ofTooDeep) {
      return ofTooDeep(value);
    }
    throw new TooDeepError();
  }
  return (hasLong ? unmarked(value) : value) as T;
}

const [TEXT, ESCAPE] = codesOf('"\\');
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = codesOf('[]{}');

function codesOf(characters: string): number[] {
  return Array.from(characters, each => each.charCodeAt(0));
}

/** Whether lists and objects nest deeper; the text alone takes a fraction of the time that all values would. */
function nestsDeeper(json: string, levels: number): boolean {
  // A level takes at least two characters.
  if (json.length <= 2 * levels) {
    return false;
  }
  let depth = 0;
  for (let i = 0; i < json.length; i += 1) {
    const code = json.charCodeAt(i);
    if (code === TEXT) {
      for (i += 1; i < json.length && json.charCodeAt(i) !== TEXT; i += 1) {
        if (json.charCodeAt(i) === ESCAPE) {
          i += 1;
        }
      }
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      depth += 1;
      if (depth > levels) {
        return true;
      }
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      depth -= 1;
    }
  }
  return false;
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

/** The value with raw JSON in the place of marked integers; lists and objects are changed. */
function unmarked(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.startsWith(MARK)
      ? JSON.rawJSON(value.slice(MARK.length))
      : value;
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  // Plain loops: a large object has hundreds of thousands of values.
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) {
      value[i] = unmarked(value[i]);
    }
  } else {
    const parts = value as Record<string, unknown>;
    for (const key of Object.keys(parts)) {
      parts[key] = unmarked(parts[key]);
    }
  }
  return value;
}
