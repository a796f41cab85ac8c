import { createWorkQueue } from './workQueue';

describe('work queue', () => {
  const { signal } = new AbortController();

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('gives a key once, however often it was added', async () => {
    const queue = createWorkQueue();
    queue.add('a');
    queue.add('a');
    queue.add('b');
    expect(await queue.next(signal)).toBe('a');
    expect(await queue.next(signal)).toBe('b');
  });

  it('gives a key that was added while it was worked on once more, and not before it is done', async () => {
    const queue = createWorkQueue();
    queue.add('a');
    await queue.next(signal);
    queue.add('a');
    const again = jest.fn();
    queue.next(signal).then(again);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(again).not.toHaveBeenCalled();

    queue.done('a');
    await jest.advanceTimersByTimeAsync(0);
    expect(again).toHaveBeenCalledWith('a');
  });

  it('gives a delayed key when it is due, and the earlier of two wishes counts', async () => {
    const queue = createWorkQueue();
    const given = jest.fn();
    queue.add('a', 5_000);
    queue.add('a', 100);
    queue.add('a', 9_000);
    queue.next(signal).then(given);
    await jest.advanceTimersByTimeAsync(99);
    expect(given).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(given).toHaveBeenCalledWith('a');

    const more = jest.fn();
    queue.done('a');
    queue.next(signal).then(more);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(more).not.toHaveBeenCalled();
  });

  it('takes no key before the pause is over, so that an addition meanwhile counts once', async () => {
    const queue = createWorkQueue();
    queue.add('a');
    let end = () => {};
    const pause = new Promise<void>(resolve => {
      end = resolve;
    });
    const taken = queue.next(signal, () => pause);
    await jest.advanceTimersByTimeAsync(0);
    queue.add('a');
    end();
    expect(await taken).toBe('a');
    queue.done('a');
    expect(queue.size).toBe(0);
  });

  it('leaves the key for the next run where the signal is aborted in the pause', async () => {
    const queue = createWorkQueue();
    const stop = new AbortController();
    queue.add('a');
    const taken = queue.next(stop.signal, async () => stop.abort());
    expect(await taken).toBeUndefined();
    expect(await queue.next(signal)).toBe('a');
  });

  it('answers undefined once the signal is aborted, and keeps the key for the next run', async () => {
    const queue = createWorkQueue();
    const stop = new AbortController();
    const waiting = queue.next(stop.signal);
    stop.abort();
    expect(await waiting).toBeUndefined();
    queue.add('a');
    expect(await queue.next(signal)).toBe('a');
  });
});
