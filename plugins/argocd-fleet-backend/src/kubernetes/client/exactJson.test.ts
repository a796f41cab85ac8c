import { sameJson } from '../../model/json/mergePatch';
import { createStructurePool } from '../informer/structureSharing';
import { MAX_DEPTH, TooDeepError, parseExactJson } from './exactJson';

const roundTrip = (text: string) => JSON.stringify(parseExactJson(text));

describe('exact JSON', () => {
  it.each([
    '{"id":12345678901234567890}',
    '[9007199254740993,-9007199254740993]',
    '{"a":{"b":[1,"9007199254740993",1.5,null,true,9007199254740993]}}',
    '{"max":18446744073709551615,"small":42}',
  ])('is written as it was read: %s', text => {
    expect(roundTrip(text)).toBe(text);
  });

  it.each([
    '{"image":"build:12345678901234567890","n":1}',
    '{"a":"[12345678901234567890,","b":",12345678901234567890"}',
    '{"a":"\\\\","b":12345678901234567890,"c":"\\",12345678901234567890"}',
    '{"a":"\\\\\\"12345678901234567890","b":[12345678901234567890]}',
    `{"a":"${'\\"'.repeat(600_000)}","b":12345678901234567890}`,
  ])('keeps the digits in texts: %#', text => {
    expect(roundTrip(text)).toBe(text);
  });

  const nested = (levels: number, value: string) =>
    `${'{"a":['.repeat(levels / 2)}${value}${']}'.repeat(levels / 2)}`;

  describe.each(['1', '12345678901234567890', '"build:1234567890123456"'])(
    'with %s at its end',
    value => {
      it('is read down to a limit', () => {
        const text = nested(MAX_DEPTH, value);
        expect(roundTrip(text)).toBe(text);
      });

      it.each([MAX_DEPTH + 2, 9_000, 1_000_000])(
        'is not read with %d levels, whatever the stack holds',
        levels => {
          const text = nested(levels, value);
          expect(() => parseExactJson(text)).toThrow(TooDeepError);
          expect(
            parseExactJson(text, deep => Object.keys(deep as object)),
          ).toEqual(['a']);
        },
      );
    },
  );

  it.each(['{"a":1234567890123456.5}', '[1e300]', '{"a":4503599627370496}'])(
    'has plain numbers where these are exact: %s',
    text => {
      expect(parseExactJson(text)).toEqual(JSON.parse(text));
    },
  );

  it('stays exact in a pool that shares equal parts', () => {
    const { share } = createStructurePool();
    const text = '{"spec":{"limit":9007199254740993}}';
    for (let copy = 0; copy < 6; copy += 1) {
      expect(JSON.stringify(share(parseExactJson(text)))).toBe(text);
    }
  });

  it('is compared exactly', () => {
    const a = parseExactJson('{"n":9007199254740993}');
    const same = parseExactJson('{"n":9007199254740993}');
    const other = parseExactJson('{"n":9007199254740992}');
    expect(sameJson(a, same)).toBe(true);
    expect(sameJson(a, other)).toBe(false);
  });
});
