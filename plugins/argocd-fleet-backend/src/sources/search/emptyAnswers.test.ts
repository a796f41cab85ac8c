import { createEmptyAnswers, DISBELIEVED_ANSWERS } from './emptyAnswers';

describe('an answer with nothing related', () => {
  it('is taken where there need not be anything', () => {
    expect(createEmptyAnswers().judge(['c1', 'c2'], [])).toBe('take');
  });

  it('is asked for again in halves, once, and is a failure until something is told', () => {
    const { judge } = createEmptyAnswers();
    expect(judge(['c1', 'c2'], ['c1', 'c2'])).toBe('ask smaller');
    expect(judge(['c1'], ['c1'])).toBe('fail');
    expect(judge(['c2'], ['c2'])).toBe('fail');
    expect(judge(['c1', 'c2'], ['c1', 'c2'])).toBe('fail');
    expect(judge(['c1', 'c2'], [])).toBe('take');
    expect(judge(['c1', 'c2'], ['c1', 'c2'])).toBe('ask smaller');
  });

  it('is believed in the end, as long as it stays so', () => {
    const { judge } = createEmptyAnswers();
    const verdicts = Array.from({ length: DISBELIEVED_ANSWERS }, () =>
      judge(['c1'], ['c1']),
    );
    expect(new Set(verdicts)).toEqual(new Set(['fail']));
    expect(judge(['c1'], ['c1'])).toBe('take');
    expect(judge(['c1'], ['c1'])).toBe('take');
    judge(['c1'], []);
    expect(judge(['c1'], ['c1'])).toBe('fail');
  });
});
