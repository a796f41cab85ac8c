import fc from 'fast-check';
import { createParsedTexts } from './parsedTexts';

describe('texts that come twice', () => {
  it('are parsed once', () => {
    const { parse } = createParsedTexts();
    const answer = parse('{"name":"a"}');
    parse('{"name":"b"}');
    expect(parse('{"name":"a"}')).toBe(answer);
    // As the text of another history of the same object: nobody is given what somebody else has had for long.
    expect(parse('{"name":"a"}')).not.toBe(answer);
  });

  it('are what they say, in whatever order they come', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { maxLength: 200 }), numbers => {
        const { parse } = createParsedTexts();
        expect(numbers.map(number => parse(`{"is":${number}}`))).toEqual(
          numbers.map(number => ({ is: number })),
        );
      }),
    );
  });

  it('are forgotten where the second is long in coming', () => {
    const { parse } = createParsedTexts();
    const first = parse('{"name":"a"}');
    for (let i = 0; i < 100; i += 1) {
      parse(`{"other":${i}}`);
    }
    expect(parse('{"name":"a"}')).not.toBe(first);
  });

  it('are forgotten at once where somebody wishes', () => {
    const { parse, forgetAll } = createParsedTexts();
    const first = parse('{"name":"a"}');
    forgetAll();
    expect(parse('{"name":"a"}')).not.toBe(first);
  });

  it('are refused both times where they are no JSON', () => {
    const { parse } = createParsedTexts();
    expect(() => parse('{"name"')).toThrow(SyntaxError);
    expect(() => parse('{"name"')).toThrow(SyntaxError);
  });
});
