import { createEmptyAnswers, REJECTED_ANSWERS } from './emptyAnswers';

describe('an answer with nothing related', () => {
  it('is taken where there need not be anything', () => {
    expect(createEmptyAnswers().decide(['c1', 'c2'], [])).toBe('take');
  });

  it('is asked for again in halves, once, and is a failure until something is told', () => {
    const { decide } = createEmptyAnswers();
    expect(decide(['c1', 'c2'], ['c1', 'c2'])).toBe('ask smaller');
    expect(decide(['c1'], ['c1'])).toBe('fail');
    expect(decide(['c2'], ['c2'])).toBe('fail');
    expect(decide(['c1', 'c2'], ['c1', 'c2'])).toBe('fail');
    expect(decide(['c1', 'c2'], [])).toBe('take');
    expect(decide(['c1', 'c2'], ['c1', 'c2'])).toBe('ask smaller');
  });

  it('is believed in the end, as long as it stays so', () => {
    const { decide } = createEmptyAnswers();
    const verdicts = Array.from({ length: REJECTED_ANSWERS }, () =>
      decide(['c1'], ['c1']),
    );
    expect(new Set(verdicts)).toEqual(new Set(['fail']));
    expect(decide(['c1'], ['c1'])).toBe('take');
    expect(decide(['c1'], ['c1'])).toBe('take');
    decide(['c1'], []);
    expect(decide(['c1'], ['c1'])).toBe('fail');
  });
});
