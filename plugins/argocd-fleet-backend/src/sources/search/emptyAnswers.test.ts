import { createEmptyAnswers, REJECTED_ANSWERS } from './emptyAnswers';

describe('an answer without related items', () => {
  it('is accepted if no related items are expected', () => {
    expect(createEmptyAnswers().decide(['c1', 'c2'], [])).toBe('accept');
  });

  it('is split once, and then fails until related items are found', () => {
    const { decide } = createEmptyAnswers();
    expect(decide(['c1', 'c2'], ['c1', 'c2'])).toBe('split');
    expect(decide(['c1'], ['c1'])).toBe('fail');
    expect(decide(['c2'], ['c2'])).toBe('fail');
    expect(decide(['c1', 'c2'], ['c1', 'c2'])).toBe('fail');
    expect(decide(['c1', 'c2'], [])).toBe('accept');
    expect(decide(['c1', 'c2'], ['c1', 'c2'])).toBe('split');
  });

  it('is accepted after enough rejections, until related items are found', () => {
    const { decide } = createEmptyAnswers();
    const verdicts = Array.from({ length: REJECTED_ANSWERS }, () =>
      decide(['c1'], ['c1']),
    );
    expect(new Set(verdicts)).toEqual(new Set(['fail']));
    expect(decide(['c1'], ['c1'])).toBe('accept');
    expect(decide(['c1'], ['c1'])).toBe('accept');
    decide(['c1'], []);
    expect(decide(['c1'], ['c1'])).toBe('fail');
  });
});
