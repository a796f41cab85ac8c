import { NO_ROUND, type StoredRound } from '../database/answerStore';
import { stalenessChanged, lateSince, updateLateAnswers } from './lateAnswers';

const A = 'argocd/a';
const B = 'argocd/b';

/** Answers of a round for the Applications A and B of cluster c1; `whole` is a complete answer. */
type Answered = 'both' | 'a' | 'b' | 'nothing' | 'whole';

/** Consecutive rounds, at 1, 2, 3 … */
function roundsOf(rounds: readonly Answered[]): StoredRound {
  return rounds.reduce((last: StoredRound, each, index) => {
    const startedAt = String(index + 1);
    const kept = { a: [B], b: [A], nothing: [A, B], both: [], whole: [] }[each];
    return {
      ...last,
      startedAt,
      late: updateLateAnswers(last, {
        startedAt,
        incomplete: new Set(each === 'whole' ? [] : ['c1']),
        answered: new Set(each === 'nothing' ? [] : ['c1']),
        kept: kept.map(application => [application, 'c1']),
      }),
    };
  }, NO_ROUND);
}

const times = <T>(count: number, each: T): T[] => Array(count).fill(each);

describe('the age of an answer', () => {
  it.each<
    [string, readonly Answered[], string | undefined, string | undefined]
  >([
    [
      'is not shown for two rounds',
      ['whole', ...times(2, 'nothing' as const)],
      undefined,
      undefined,
    ],
    [
      'is shown from the third on',
      ['whole', ...times(5, 'nothing' as const)],
      '1',
      '1',
    ],
    [
      'is not shown for an answered Application, however often others are missing',
      ['whole', ...times(9, 'a' as const)],
      undefined,
      '1',
    ],
    [
      'counts from the last answer, if the cluster was incomplete before',
      ['whole', ...times(5, 'a' as const), ...times(3, 'nothing' as const)],
      '6',
      '1',
    ],
    [
      'stays for a missing Application when the others are answered again',
      ['whole', ...times(3, 'nothing' as const), 'a'],
      undefined,
      '1',
    ],
    [
      'restarts for an Application that is answered now and then',
      ['whole', 'a', 'a', 'b', 'a', 'a'],
      undefined,
      undefined,
    ],
    [
      'is over with a whole answer',
      ['whole', ...times(5, 'a' as const), 'whole', 'a'],
      undefined,
      undefined,
    ],
  ])('%s', (_, rounds, ofA, ofB) => {
    const round = roundsOf(rounds);
    expect([A, B].map(each => lateSince(round, each, 'c1'))).toEqual([
      ofA,
      ofB,
    ]);
  });

  it('is stored with the cluster while all of it is late', () => {
    expect(Object.keys(roundsOf(['whole', 'nothing']).late)).toEqual(['c1']);
    expect(Object.keys(roundsOf(['whole', 'a']).late)).toEqual(['c1', B]);
    expect(roundsOf(['a', 'both', 'whole']).late).toEqual({});
  });

  it('changes only where an age appears or disappears', () => {
    const rounds: Answered[] = ['whole', 'a', 'a', 'a'];
    expect(
      stalenessChanged(roundsOf(rounds.slice(0, 3)), roundsOf(rounds)),
    ).toEqual(new Set([B]));
    expect(
      stalenessChanged(roundsOf(rounds), roundsOf([...rounds, 'a'])),
    ).toEqual(new Set());
    expect(
      stalenessChanged(roundsOf(rounds), roundsOf([...rounds, 'both'])),
    ).toEqual(new Set([B]));
  });
});
