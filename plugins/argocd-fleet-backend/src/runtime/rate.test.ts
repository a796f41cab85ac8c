import { createRate } from './rate';

describe('a rate', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function add(rate: ReturnType<typeof createRate>, everyMs: number) {
    for (let ms = 0; ms < 5_000; ms += everyMs) {
      jest.advanceTimersByTime(everyMs);
      rate.add();
    }
  }

  it.each([
    [200, 5],
    [20, 50],
    [2, 500],
  ])('is that of events every %s ms', (everyMs, expected) => {
    const rate = createRate();
    expect(rate.perSecond()).toBe(0);
    add(rate, everyMs);
    expect(rate.perSecond()).toBeGreaterThan(expected * 0.9);
    expect(rate.perSecond()).toBeLessThan(expected * 1.15);
  });

  it('falls when nothing happens', () => {
    const rate = createRate();
    add(rate, 2);
    jest.advanceTimersByTime(1_000);
    expect(rate.perSecond()).toBeLessThan(200);
    jest.advanceTimersByTime(4_000);
    expect(rate.perSecond()).toBeLessThan(5);
  });
});
