import { goJsonBytes } from './goJson';

describe('the size of JSON text written by Go', () => {
  // The output of json.Marshal for each value.
  it.each([
    ['plain', '"plain"'],
    ['größer 😀', '"größer 😀"'],
    ['two\nlines\t"quoted"', '"two\\nlines\\t\\"quoted\\""'],
    ['<html>', '"\\u003chtml\\u003e"'],
    ['a && b', '"a \\u0026\\u0026 b"'],
    ['line\u2028paragraph\u2029', '"line\\u2028paragraph\\u2029"'],
  ])('is the length of what json.Marshal writes for %j', (value, written) => {
    expect(goJsonBytes(JSON.stringify(value))).toBe(Buffer.byteLength(written));
  });

  it('includes the keys', () => {
    expect(goJsonBytes(JSON.stringify({ 'a<b': 1 }))).toBe(
      '{"a\\u003cb":1}'.length,
    );
  });
});
