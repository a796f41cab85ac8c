import {
  createExpressionRewrites,
  REWRITES_PER_SECOND,
} from './expressionRewrites';

const KEYS = Array.from({ length: 1_000 }, (_, index) => `argocd/app-${index}`);

describe('the turns of works that differ only in their expressions', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function setUp() {
    const rewrites = createExpressionRewrites();
    const came: string[] = [];
    const listen = () => rewrites.onTurn(keys => came.push(...keys));
    return { rewrites, came, listen };
  }

  it('come at a limited rate, for 1,000 works within 50 seconds, each once and in their order', () => {
    const { rewrites, came, listen } = setUp();
    listen();
    KEYS.forEach(rewrites.wait);
    expect(came).toEqual([]);

    for (let second = 1; second <= 50; second += 1) {
      jest.advanceTimersByTime(1_000);
      // A key that is reconciled for another reason keeps its place.
      rewrites.wait(KEYS.at(-1)!);
      expect(came).toHaveLength(second * REWRITES_PER_SECOND);
    }
    expect(came).toEqual(KEYS);
    expect(KEYS.every(rewrites.takeTurn)).toBe(true);
  });

  it('end: without keys that wait, nothing is scheduled', () => {
    const { rewrites, listen } = setUp();
    listen();
    expect(jest.getTimerCount()).toBe(0);
    rewrites.wait('argocd/app');
    jest.advanceTimersByTime(1_000);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('are kept from one run to the next, and none comes in between', () => {
    const { rewrites, came, listen } = setUp();
    const endRun = listen();
    KEYS.forEach(rewrites.wait);
    jest.advanceTimersByTime(1_000);
    endRun();
    jest.advanceTimersByTime(60_000);
    expect(came).toHaveLength(REWRITES_PER_SECOND);
    expect(rewrites.isTurn(KEYS[0])).toBe(true);

    listen();
    jest.advanceTimersByTime(1_000);
    expect(came).toEqual(KEYS.slice(0, 2 * REWRITES_PER_SECOND));
  });

  it('can be taken once', () => {
    const { rewrites, listen } = setUp();
    listen();
    rewrites.wait('argocd/app');
    expect(rewrites.takeTurn('argocd/app')).toBe(false);
    jest.advanceTimersByTime(1_000);
    expect(rewrites.isTurn('argocd/app')).toBe(true);
    expect(rewrites.takeTurn('argocd/app')).toBe(true);
    expect(rewrites.isTurn('argocd/app')).toBe(false);
    expect(rewrites.takeTurn('argocd/app')).toBe(false);
  });

  it('do not come for keys that were written meanwhile', () => {
    const { rewrites, came, listen } = setUp();
    listen();
    rewrites.wait('argocd/written');
    rewrites.wait('argocd/app');
    rewrites.cancel('argocd/written');
    jest.advanceTimersByTime(1_000);
    expect(came).toEqual(['argocd/app']);
  });
});
