import { collectPatterns } from '../__testUtils__/patterns/collectPatterns';
import { hostileTexts } from '../__testUtils__/patterns/hostileTexts';
import { shortestMatchTime } from '../__testUtils__/patterns/matchTime';

/** Characters. A pattern that is quadratic takes tenths of a second for the longer text. */
const LENGTH = 4_000;
const FACTOR = 4;

/** Milliseconds; what takes less is not worth a comparison, and too short to compare. */
const NOTICEABLE = 4;

/** Of the times, for texts that are longer by FACTOR: 4 if it is linear, 16 if it is quadratic. */
const MAX_GROWTH = 9;

/** Characters that take a pattern of exponential time tenths of a second. */
const SHORT = 26;

/** The first text on which the time of a pattern grows faster than its length. */
function textWithGrowth(pattern: RegExp): string | undefined {
  for (const text of hostileTexts(pattern, SHORT)) {
    if (shortestMatchTime(pattern, text) > NOTICEABLE) {
      return text;
    }
  }
  const shorter = hostileTexts(pattern, LENGTH);
  for (const text of hostileTexts(pattern, LENGTH * FACTOR)) {
    const before: string = shorter.next().value!;
    const time = shortestMatchTime(pattern, text);
    if (
      time > NOTICEABLE &&
      time > MAX_GROWTH * shortestMatchTime(pattern, before)
    ) {
      return text;
    }
  }
  return undefined;
}

const patterns = collectPatterns();

it('finds the patterns of all plugins', () => {
  const plugins = new Set(patterns.map(({ place }) => place.split('/')[0]));
  expect(plugins.size).toBeGreaterThan(4);
  expect(patterns.length).toBeGreaterThan(60);
});

it.each([/chart .*not found/, /x+$/, /^(a+)+$/])(
  'recognises %s as one that is not linear',
  pattern => {
    expect(textWithGrowth(pattern)).toBeDefined();
  },
);

it.each(patterns.map(({ place, pattern }) => [place, pattern] as const))(
  'takes no more than linear time: %s %s',
  (_, pattern) => {
    expect(textWithGrowth(pattern)?.slice(0, 60)).toBeUndefined();
  },
);
