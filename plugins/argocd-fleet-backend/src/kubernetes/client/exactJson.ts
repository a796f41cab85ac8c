declare global {
  interface JSON {
    /** @see https://github.com/tc39/proposal-json-parse-with-source */
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

type SourceReviver = (
  key: string,
  value: unknown,
  context: { readonly source?: string },
) => unknown;

/** Only texts with so long a number need the slow parser with a reviver; nearly all have none. */
const LONG_NUMBER = /[:[,]\s*-?\d{16}/;

/**
 * Parses JSON and keeps integers that a JavaScript number cannot hold: they become raw JSON, which `JSON.stringify`
 * writes as it was read. An integer in a manifest must not reach a cluster rounded. Libraries for this parse in
 * JavaScript, much slower than `JSON.parse`.
 * @throws SyntaxError
 */
export function parseExactJson<T>(text: string): T {
  if (!LONG_NUMBER.test(text)) {
    return JSON.parse(text);
  }
  const keepExact: SourceReviver = (_, value, { source }) =>
    typeof value === 'number' &&
    !Number.isSafeInteger(value) &&
    source !== undefined &&
    /^-?\d+$/.test(source)
      ? JSON.rawJSON(source)
      : value;
  return JSON.parse(
    text,
    // The compiler does not know the third parameter yet.
    keepExact as Parameters<typeof JSON.parse>[1],
  );
}
