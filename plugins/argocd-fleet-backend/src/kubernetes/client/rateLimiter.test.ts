import { createRateLimiter, type RequestKind } from './rateLimiter';

const never = () => new AbortController().signal;

/** Passes requests through the rate limiter, and records those that were sent. */
function send(
  limiter: ReturnType<typeof createRateLimiter>,
  count: number,
  { kind = 'write' as RequestKind, signal = never } = {},
) {
  const sent: number[] = [];
  const passing = Array.from({ length: count }, (_, index) =>
    limiter.pass(kind, signal).then(() => {
      sent.push(index);
    }),
  );
  return { sent, passing };
}

/** More requests than are ever sent: how many each step of `ms` sends. */
async function rates(
  limiter: ReturnType<typeof createRateLimiter>,
  ms: number,
  steps: number,
) {
  const stop = new AbortController();
  const { sent, passing } = send(limiter, 10_000, {
    signal: () => stop.signal,
  });
  const counts: number[] = [];
  for (let step = 0; step < steps; step += 1) {
    const before = sent.length;
    await jest.advanceTimersByTimeAsync(ms);
    counts.push(sent.length - before);
  }
  stop.abort();
  await Promise.allSettled(passing);
  return counts;
}

describe('rate limiter', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** The API server responds 429 to a request that is sent now. */
  function throttle(
    limiter: ReturnType<typeof createRateLimiter>,
    holdMs: number,
    { kind = 'write' as RequestKind, sentAt = performance.now() } = {},
  ) {
    limiter.slowDown(kind, sentAt, holdMs);
  }

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

  it('gives a limit to reads and writes together, in their order', async () => {
    const limiter = createRateLimiter({ requestsPerSecond: 10, burst: 1 });
    const order: string[] = [];
    for (const kind of ['write', 'read', 'write', 'read'] as const) {
      void limiter.pass(kind, never).then(() => order.push(kind));
    }
    await jest.advanceTimersByTimeAsync(199);
    expect(order).toEqual(['write', 'read']);
    await jest.advanceTimersByTimeAsync(200);
    expect(order).toEqual(['write', 'read', 'write', 'read']);
  });

  it('delays nothing without a limit', async () => {
    const { sent } = send(createRateLimiter(), 1_000);
    await jest.advanceTimersByTimeAsync(0);
    expect(sent).toHaveLength(1_000);
  });

  it('sends nothing during a hold, and then not all at once', async () => {
    const limiter = createRateLimiter();
    throttle(limiter, 3_000);
    const { sent } = send(limiter, 10);
    await jest.advanceTimersByTimeAsync(2_999);
    expect(sent).toEqual([]);
    await jest.advanceTimersByTimeAsync(21);
    expect(sent).toHaveLength(2);

    // The first response asks for another hold.
    throttle(limiter, 1_000);
    await jest.advanceTimersByTimeAsync(999);
    expect(sent).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sent).toHaveLength(10);
  });

  it('sends faster and faster after a hold, and without limit in the end, though requests always wait', async () => {
    const limiter = createRateLimiter();
    throttle(limiter, 1_000);
    const counts = await rates(limiter, 5_000, 5);
    // The first second of it is held.
    expect(counts[0]).toBeGreaterThan(200);
    expect(counts[0]).toBeLessThan(400);
    for (const step of [1, 2, 3]) {
      expect(counts[step] / counts[step - 1]).toBeGreaterThan(1.6);
    }
    expect(counts[4]).toBeGreaterThan(5_000);
  });

  it('grows up to the limit where there is one', async () => {
    const limiter = createRateLimiter({ requestsPerSecond: 100, burst: 1 });
    throttle(limiter, 1_000);
    await rates(limiter, 10_000, 1);
    expect(await rates(limiter, 1_000, 3)).toEqual([100, 100, 100]);
  });

  it('is no longer limited by a 429 of long ago, though no request came meanwhile', async () => {
    const limiter = createRateLimiter();
    throttle(limiter, 1_000);
    await jest.advanceTimersByTimeAsync(60_000);
    const { sent } = send(limiter, 1_000);
    await jest.advanceTimersByTimeAsync(0);
    expect(sent).toHaveLength(1_000);
  });

  it('starts anew with another 429, and with half where even that was too fast', async () => {
    const limiter = createRateLimiter();
    throttle(limiter, 1_000);
    await rates(limiter, 10_000, 1);
    throttle(limiter, 1_000);
    await jest.advanceTimersByTimeAsync(1_000);
    const [again] = await rates(limiter, 1_000, 1);
    expect(again).toBeGreaterThan(45);
    expect(again).toBeLessThan(65);
    throttle(limiter, 1_000);
    await jest.advanceTimersByTimeAsync(1_000);
    const [half] = await rates(limiter, 1_000, 1);
    expect(half).toBeGreaterThan(24);
    expect(half).toBeLessThan(40);
  });

  it('sends at least one request a second, however often the server refuses', async () => {
    const limiter = createRateLimiter();
    for (let times = 0; times < 20; times += 1) {
      throttle(limiter, 1_000);
      await jest.advanceTimersByTimeAsync(1_000);
    }
    const { sent } = send(limiter, 100);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sent.length).toBeGreaterThan(1);
    expect(sent.length).toBeLessThan(4);
  });

  it('takes many responses 429 for one if their requests were sent before the hold', async () => {
    const limiter = createRateLimiter();
    const sentAt = performance.now();
    for (let responses = 0; responses < 10; responses += 1) {
      throttle(limiter, 1_000, { sentAt });
      await jest.advanceTimersByTimeAsync(90);
    }
    // The last came 190 ms before the hold ends, and one more comes after its end.
    const { sent } = send(limiter, 100);
    await jest.advanceTimersByTimeAsync(99);
    expect(sent).toEqual([]);
    await jest.advanceTimersByTimeAsync(101);
    expect(sent.length).toBeGreaterThanOrEqual(5);
    throttle(limiter, 1_000, { sentAt });
    await jest.advanceTimersByTimeAsync(900);
    expect(sent.length).toBeGreaterThan(45);
  });

  it('keeps the longer of two holds', async () => {
    const limiter = createRateLimiter();
    throttle(limiter, 3_000);
    throttle(limiter, 1_000);
    const { sent } = send(limiter, 1);
    await jest.advanceTimersByTimeAsync(2_999);
    expect(sent).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([0]);
  });

  it('does not hold reads where the server refuses writes, nor the other way round', async () => {
    const limiter = createRateLimiter();
    throttle(limiter, 60_000);
    const writes = send(limiter, 10);
    const reads = send(limiter, 10, { kind: 'read' });
    await jest.advanceTimersByTimeAsync(0);
    expect([writes.sent.length, reads.sent.length]).toEqual([0, 10]);
    throttle(limiter, 120_000, { kind: 'read' });
    const more = send(limiter, 10, { kind: 'read' });
    await jest.advanceTimersByTimeAsync(61_000);
    expect([writes.sent.length, more.sent.length]).toEqual([10, 0]);
  });

  it('drops a request that is aborted while it waits, and no other', async () => {
    const limiter = createRateLimiter({ requestsPerSecond: 1, burst: 1 });
    const stop = new AbortController();
    send(limiter, 1);
    const { passing } = send(limiter, 1, { signal: () => stop.signal });
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
    throttle(limiter, 10_000);
    await expect(
      limiter.pass('write', () => AbortSignal.abort()),
    ).rejects.toMatchObject({ kind: 'aborted' });
    expect(jest.getTimerCount()).toBe(0);
  });
});
