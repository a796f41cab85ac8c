import { goJsonBytes } from './goJson';

describe('the bytes of a text of JSON in Go', () => {
  // What json.Marshal gives for each of them.
  it.each([
    ['plain', '"plain"'],
    ['größer 😀', '"größer 😀"'],
    ['two\nlines\t"quoted"', '"two\\nlines\\t\\"quoted\\""'],
    ['<html>', '"\\u003chtml\\u003e"'],
    ['a && b', '"a \\u0026\\u0026 b"'],
    ['line\u2028paragraph\u2029', '"line\\u2028paragraph\\u2029"'],
  ])('are as many as it writes of %j', (value, written) => {
    expect(goJsonBytes(JSON.stringify(value))).toBe(Buffer.byteLength(written));
  });

  it('count the keys too', () => {
    expect(goJsonBytes(JSON.stringify({ 'a<b': 1 }))).toBe(
      '{"a\\u003cb":1}'.length,
    );
  });
});
