/** Characters that patterns commonly repeat. */
const REPEATED = [...'aA0z -_./:;,"\'\\@#?&=+()[]{}<>\n\t\0é…', '\uD83D', '😀'];

/** An end that few patterns match, so that they try every other way. */
const ENDS = ['', '\u0001', '!\n', 'a'];

/**
 * Texts that make a pattern try many ways, if it can: repetitions of its own words, of single characters behind its
 * words, and of both.
 * @param length - in characters, about
 */
export function* hostileTexts(
  pattern: RegExp,
  length: number,
): Generator<string> {
  for (const [head, repeated, end] of hostileParts(pattern)) {
    const count = Math.ceil(length / repeated.length);
    yield `${head}${repeated.repeat(count)}${end}`;
  }
}

function* hostileParts(pattern: RegExp): Generator<[string, string, string]> {
  const words = wordsIn(pattern);
  const heads = new Set(['', ...words]);
  for (let i = 2; i <= words.length; i += 1) {
    heads.add(words.slice(0, i).join('a'));
  }
  for (const head of heads) {
    for (const end of ENDS) {
      if (head) {
        yield ['', head, end];
      }
      for (const character of REPEATED) {
        yield [head, character, end];
      }
    }
    for (const character of REPEATED) {
      yield ['', `${head}${character}`, '\u0001'];
    }
  }
}

/** The literal parts of a pattern, in their order. */
function wordsIn({ source }: RegExp): string[] {
  return source
    .replace(
      /\[(?:[^\]\\]|\\.)*\]|\\[pP]\{\w+\}|\\[bBdDsSwW]|\(\?<?[:=!]/g,
      '\0',
    )
    .replace(/\{\d+,?\d*\}/g, '\0')
    .replace(/\\u([0-9A-F]{4})/g, (_, code) =>
      String.fromCharCode(parseInt(code, 16)),
    )
    .split(/(?<!\\)[\0^$.*+?()|]+/)
    .map(word => word.replace(/\\(.)/g, '$1'))
    .filter(Boolean);
}
