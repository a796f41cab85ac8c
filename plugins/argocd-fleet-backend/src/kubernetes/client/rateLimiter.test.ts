import { createRateLimiter } from './rateLimiter';

const never = () => new AbortController().signal;

/** Passes requests through the rate limiter, and records those that were sent. */
function send(
  limiter: ReturnType<typeof createRateLimiter>,
  count: number,
  signal = never,
) {
  const sent: number[] = [];
  const passing = Array.from({ length: count }, (_, index) =>
    limiter.pass(signal).then(() => {
      sent.push(index);
    }),
  );
  return { sent, passing };
}

describe('rate limiter', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('sends a burst at once and the rest at the rate, in order', async () => {
    const limiter = createRateLimiter({ requestsPerSecond: 10, burst: 3 });
    const { sent } = send(limiter, 6);
    await jest.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([0, 1, 2]);
    await jest.advanceTimersByTimeAsync(100);
    expect(sent).toEqual([0, 1, 2, 3]);
    await jest.advanceTimersByTimeAsync(200);
    expect(sent).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('saves no more than a burst while there are no requests', async () => {
    const limiter = createRateLimiter({ requestsPerSecond: 10, burst: 2 });
    await jest.advanceTimersByTimeAsync(60_000);
    const { sent } = send(limiter, 5);
    await jest.advanceTimersByTimeAsync(0);
    expect(sent).toHaveLength(2);
  });

  it('delays nothing without a limit', async () => {
    const { sent } = send(createRateLimiter(), 1_000);
    await jest.advanceTimersByTimeAsync(0);
    expect(sent).toHaveLength(1_000);
  });

  it('sends nothing during a hold, and then not all at once', async () => {
    const limiter = createRateLimiter();
    limiter.hold(3_000);
    const { sent } = send(limiter, 10);
    await jest.advanceTimersByTimeAsync(2_999);
    expect(sent).toEqual([]);
    await jest.advanceTimersByTimeAsync(21);
    expect(sent).toHaveLength(2);

    // The first response asks for another hold.
    limiter.hold(1_000);
    await jest.advanceTimersByTimeAsync(990);
    expect(sent).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sent).toHaveLength(10);

    const later = send(limiter, 100);
    await jest.advanceTimersByTimeAsync(0);
    expect(later.sent).toHaveLength(100);
  });

  it('keeps the longer of two holds', async () => {
    const limiter = createRateLimiter();
    limiter.hold(3_000);
    limiter.hold(1_000);
    const { sent } = send(limiter, 1);
    await jest.advanceTimersByTimeAsync(2_999);
    expect(sent).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([0]);
  });

  it('drops a request that is aborted while it waits, and no other', async () => {
    const limiter = createRateLimiter({ requestsPerSecond: 1, burst: 1 });
    const stop = new AbortController();
    send(limiter, 1);
    const { passing } = send(limiter, 1, () => stop.signal);
    const { sent } = send(limiter, 1);
    const refused = passing[0].catch(error => error);
    stop.abort();
    expect(await refused).toMatchObject({ kind: 'aborted' });
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sent).toEqual([0]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('rejects a request at once that is aborted already', async () => {
    const limiter = createRateLimiter();
    limiter.hold(10_000);
    await expect(limiter.pass(() => AbortSignal.abort())).rejects.toMatchObject(
      {
        kind: 'aborted',
      },
    );
    expect(jest.getTimerCount()).toBe(0);
  });
});
