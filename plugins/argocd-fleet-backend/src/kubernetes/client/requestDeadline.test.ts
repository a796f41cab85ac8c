import { startDeadline } from './requestDeadline';

describe('request deadline', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('ends a request whose time is over', () => {
    const deadline = startDeadline(1_000, []);
    jest.advanceTimersByTime(999);
    expect(deadline.signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(deadline.signal.aborted).toBe(true);
    expect(deadline.expired).toBe(true);
  });

  it('ends a request whose signal is aborted, now or before', () => {
    const stop = new AbortController();
    const deadline = startDeadline(1_000, [stop.signal]);
    stop.abort();
    expect(deadline.signal.aborted).toBe(true);
    expect(deadline.expired).toBe(false);
    expect(startDeadline(1_000, [stop.signal]).signal.aborted).toBe(true);
  });

  it('gives a request more time when it is restarted', () => {
    const deadline = startDeadline(1_000, []);
    jest.advanceTimersByTime(900);
    deadline.restart(500);
    jest.advanceTimersByTime(499);
    expect(deadline.signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(deadline.expired).toBe(true);
  });

  it('removes its timer and listeners', () => {
    const stop = new AbortController();
    const removed = jest.spyOn(stop.signal, 'removeEventListener');
    const deadline = startDeadline(1_000, [stop.signal]);
    deadline.end();
    expect(jest.getTimerCount()).toBe(0);
    expect(removed).toHaveBeenCalledTimes(1);
    stop.abort();
    expect(deadline.signal.aborted).toBe(false);
  });
});
