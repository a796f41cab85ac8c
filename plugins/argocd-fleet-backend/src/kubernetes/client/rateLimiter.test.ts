import { createRateLimiter } from './rateLimiter';

const never = () => new AbortController().signal;

/** Sends requests through the gate, and counts those that are out. */
function send(
  gate: ReturnType<typeof createRateLimiter>,
  count: number,
  signal = never,
) {
  const out: number[] = [];
  const passing = Array.from({ length: count }, (_, index) =>
    gate.pass(signal).then(() => {
      out.push(index);
    }),
  );
  return { out, passing };
}

describe('request gate', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('lets out a burst at once and the rest at the rate, in order', async () => {
    const gate = createRateLimiter({ requestsPerSecond: 10, burst: 3 });
    const { out } = send(gate, 6);
    await jest.advanceTimersByTimeAsync(0);
    expect(out).toEqual([0, 1, 2]);
    await jest.advanceTimersByTimeAsync(100);
    expect(out).toEqual([0, 1, 2, 3]);
    await jest.advanceTimersByTimeAsync(200);
    expect(out).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('saves up no more than a burst in a quiet time', async () => {
    const gate = createRateLimiter({ requestsPerSecond: 10, burst: 2 });
    await jest.advanceTimersByTimeAsync(60_000);
    const { out } = send(gate, 5);
    await jest.advanceTimersByTimeAsync(0);
    expect(out).toHaveLength(2);
  });

  it('holds nothing back without a limit', async () => {
    const { out } = send(createRateLimiter(), 1_000);
    await jest.advanceTimersByTimeAsync(0);
    expect(out).toHaveLength(1_000);
  });

  it('lets nobody out while the hub wants peace, and then not all at once', async () => {
    const gate = createRateLimiter();
    gate.hold(3_000);
    const { out } = send(gate, 10);
    await jest.advanceTimersByTimeAsync(2_999);
    expect(out).toEqual([]);
    await jest.advanceTimersByTimeAsync(21);
    expect(out).toHaveLength(2);

    // The first to be answered learns that it is not over.
    gate.hold(1_000);
    await jest.advanceTimersByTimeAsync(990);
    expect(out).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(out).toHaveLength(10);

    const later = send(gate, 100);
    await jest.advanceTimersByTimeAsync(0);
    expect(later.out).toHaveLength(100);
  });

  it('keeps the longer of two holds', async () => {
    const gate = createRateLimiter();
    gate.hold(3_000);
    gate.hold(1_000);
    const { out } = send(gate, 1);
    await jest.advanceTimersByTimeAsync(2_999);
    expect(out).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(out).toEqual([0]);
  });

  it('lets go of a request that is aborted while it waits, and only of that', async () => {
    const gate = createRateLimiter({ requestsPerSecond: 1, burst: 1 });
    const stop = new AbortController();
    send(gate, 1);
    const { passing } = send(gate, 1, () => stop.signal);
    const { out } = send(gate, 1);
    const refused = passing[0].catch(error => error);
    stop.abort();
    expect(await refused).toMatchObject({ kind: 'aborted' });
    await jest.advanceTimersByTimeAsync(1_000);
    expect(out).toEqual([0]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('does not wait at all for what is aborted already', async () => {
    const gate = createRateLimiter();
    gate.hold(10_000);
    await expect(gate.pass(() => AbortSignal.abort())).rejects.toMatchObject({
      kind: 'aborted',
    });
    expect(jest.getTimerCount()).toBe(0);
  });
});
