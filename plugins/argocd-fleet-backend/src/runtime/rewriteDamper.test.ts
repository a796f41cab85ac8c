import { createRewriteDamper, type RewriteDamper } from './rewriteDamper';

const MINUTE = 60_000;

describe('a rewrite damper', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** Each write is undone at once, and made again as soon as it may be; how many there were. */
  async function fight(
    damper: RewriteDamper,
    ms: number,
    { key = 'key', content = 'same' } = {},
  ) {
    const end = performance.now() + ms;
    const write = jest.fn(async () => 'stored');
    while (performance.now() < end) {
      const { waitMs } = await damper.write(key, content, write);
      // The other's write, and the event about it, take some time too.
      await jest.advanceTimersByTimeAsync(
        Math.min(Math.max(waitMs, 50), Math.max(1, end - performance.now())),
      );
    }
    return write.mock.calls.length;
  }

  const half = () => createRewriteDamper(() => 0.5);

  it('writes again at once where a write was undone once or twice', async () => {
    const damper = half();
    for (let writes = 0; writes < 3; writes += 1) {
      expect(await damper.write('key', 'same', async () => writes)).toEqual({
        waitMs: 0,
        stored: writes,
      });
    }
    expect(damper.isWaiting('key')).toBe(false);
    expect(damper.contested()).toEqual([]);
  });

  it('makes less than ten writes in 15 seconds where each is undone at once', async () => {
    const damper = half();
    expect(await fight(damper, 15_000)).toBe(7);
    expect(damper.contested()).toEqual([{ key: 'key', manager: undefined }]);
    expect(damper.isWaiting('key')).toBe(true);
  });

  it('writes every five minutes in a fight that goes on', async () => {
    const damper = half();
    await fight(damper, 30 * MINUTE);
    expect(await fight(damper, 30 * MINUTE)).toBe(6);
  });

  it('never delays what was not written before, and is still wary afterwards', async () => {
    const damper = half();
    await fight(damper, MINUTE);
    expect(
      await damper.write('key', 'new', async () => 'stored'),
    ).toMatchObject({ waitMs: 0 });
    expect(damper.contested()).toHaveLength(1);
    expect(await fight(damper, MINUTE, { content: 'new' })).toBeLessThan(3);
  });

  it('never delays contents that alternate because they are wanted in turn', async () => {
    const damper = half();
    for (let turn = 0; turn < 50; turn += 1) {
      const { waitMs } = await damper.write(
        'key',
        turn % 2 ? 'one' : 'two',
        async () => 'stored',
      );
      expect(waitMs).toBe(0);
    }
    expect(damper.contested()).toEqual([]);
  });

  it('begins anew after ten quiet minutes', async () => {
    const damper = half();
    await fight(damper, MINUTE);
    await jest.advanceTimersByTimeAsync(10 * MINUTE);
    expect(damper.contested()).toEqual([]);
    expect(await fight(damper, 15_000)).toBe(7);
  });

  it('keeps objects apart, and names who was seen last', async () => {
    const damper = half();
    await fight(damper, MINUTE, { key: 'a' });
    expect(await damper.write('b', 'same', async () => 'b')).toEqual({
      waitMs: 0,
      stored: 'b',
    });
    await jest.advanceTimersByTimeAsync(2 * MINUTE);
    await damper.write('a', 'same', async () => 'a', 'their-controller');
    expect(damper.contested()).toEqual([
      { key: 'a', manager: 'their-controller' },
    ]);
  });

  it('counts no write that failed or was withheld', async () => {
    const damper = half();
    for (let turn = 0; turn < 20; turn += 1) {
      await expect(
        damper.write('key', 'same', async () =>
          Promise.reject(new Error('409')),
        ),
      ).rejects.toThrow('409');
      expect(await damper.write('key', 'same', async () => undefined)).toEqual({
        waitMs: 0,
      });
    }
    expect(damper.contested()).toEqual([]);
  });

  it('spreads objects that are contested together', async () => {
    let random = 0;
    const damper = createRewriteDamper(() => random);
    const waits: number[] = [];
    for (const key of ['a', 'b']) {
      for (let writes = 0; writes < 5; writes += 1) {
        const { waitMs } = await damper.write(key, 'same', async () => 'x');
        waits.push(waitMs);
      }
      random = 1;
    }
    const [one, other] = waits.filter(wait => wait > 0);
    expect([one, other]).toEqual([750, 1_250]);
  });
});
