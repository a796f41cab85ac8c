// Measures every regular expression of the plugins on hostile texts, in a process of its own.
import { collectPatterns } from '../../plugins/argocd-fleet-backend/src/__testUtils__/patterns/collectPatterns';
import { hostileTexts } from '../../plugins/argocd-fleet-backend/src/__testUtils__/patterns/hostileTexts';
import {
  matchTime,
  shortestMatchTime,
} from '../../plugins/argocd-fleet-backend/src/__testUtils__/patterns/matchTime';

/** Characters of the texts among which the worst is looked for. */
const SAMPLE = 10_000;

/** Index of the text of this length that takes the pattern longest, among {@link hostileTexts}. */
function worstText(pattern: RegExp): number {
  let worst = 0;
  let longest = 0;
  let index = 0;
  for (const text of hostileTexts(pattern, SAMPLE)) {
    if (matchTime(pattern, text) > longest) {
      const time = shortestMatchTime(pattern, text);
      if (time > longest) {
        [worst, longest] = [index, time];
      }
    }
    index += 1;
  }
  return worst;
}

function textAt(pattern: RegExp, length: number, index: number): string {
  let at = 0;
  for (const text of hostileTexts(pattern, length)) {
    if (at === index) {
      return text;
    }
    at += 1;
  }
  throw new Error(`There is no hostile text ${index}`);
}

const length = Number(process.argv[2]);
const figures = collectPatterns().map(({ place, pattern }) => {
  const text = textAt(pattern, length, worstText(pattern));
  return {
    place,
    pattern: String(pattern),
    ms: shortestMatchTime(pattern, text),
    text: text.slice(0, 40),
  };
});
process.send!({ bench: figures });
