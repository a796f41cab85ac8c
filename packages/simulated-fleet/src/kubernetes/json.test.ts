import fc from 'fast-check';

import { isJsonObject, jsonEqual, mergePatchOf, stableJson } from './json';
import { JsonObject } from './objects';

/** Applies a merge patch (RFC 7386) as the API server does. */
function applied(target: JsonObject, patch: JsonObject): JsonObject {
  const result = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    const before = result[key];
    if (value === null) {
      delete result[key];
    } else if (isJsonObject(value)) {
      result[key] = applied(isJsonObject(before) ? before : {}, value);
    } else {
      result[key] = value;
    }
  }
  return result;
}

const documents = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.letrec(tie => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.array(fc.string(), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('x', 'y'), tie('value')),
    ),
  })).value,
);

describe('mergePatchOf', () => {
  it('turns any document into any other, and is undefined for equal ones', () => {
    fc.assert(
      fc.property(documents, documents, (from, to) => {
        const patch = mergePatchOf(from, to);
        expect(jsonEqual(applied(from, patch ?? {}), to)).toBe(true);
        expect(patch === undefined).toBe(jsonEqual(from, to));
      }),
    );
  });
});

describe('stableJson', () => {
  it('does not depend on the order of keys', () => {
    expect(stableJson({ b: { d: 1, c: 2 }, a: 0 })).toBe(
      stableJson({ a: 0, b: { c: 2, d: 1 } }),
    );
  });
});
