import fc from 'fast-check';
import { SEED } from '../../__testUtils__/randomCases';
import { createParsedTexts } from './parsedTexts';

describe('texts that arrive twice', () => {
  it('are parsed once', () => {
    const { parse } = createParsedTexts();
    const answer = parse('{"name":"a"}');
    parse('{"name":"b"}');
    expect(parse('{"name":"a"}')).toBe(answer);
    // A third text may be of another history of the object: it is parsed again.
    expect(parse('{"name":"a"}')).not.toBe(answer);
  });

  it('are parsed correctly in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { maxLength: 200 }), numbers => {
        const { parse } = createParsedTexts();
        expect(numbers.map(number => parse(`{"is":${number}}`))).toEqual(
          numbers.map(number => ({ is: number })),
        );
      }),
      { seed: SEED },
    );
  });

  it('are dropped when the second is late', () => {
    const { parse } = createParsedTexts();
    const first = parse('{"name":"a"}');
    for (let i = 0; i < 100; i += 1) {
      parse(`{"other":${i}}`);
    }
    expect(parse('{"name":"a"}')).not.toBe(first);
  });

  it('are dropped by forgetAll', () => {
    const { parse, forgetAll } = createParsedTexts();
    const first = parse('{"name":"a"}');
    forgetAll();
    expect(parse('{"name":"a"}')).not.toBe(first);
  });

  it('are rejected both times where they are not JSON', () => {
    const { parse } = createParsedTexts();
    expect(() => parse('{"name"')).toThrow(SyntaxError);
    expect(() => parse('{"name"')).toThrow(SyntaxError);
  });
});
