import { createAlarms } from './alarms';

beforeEach(() => jest.useFakeTimers({ now: 0 }));
afterEach(() => jest.useRealTimers());

function create() {
  const calls: (readonly string[])[] = [];
  const alarms = createAlarms();
  alarms.onDue(keys => calls.push(keys));
  return { alarms, calls };
}

describe('alarms', () => {
  it('call once for what is due within five seconds, the earliest first', () => {
    const { alarms, calls } = create();
    alarms.set('late', 59_000);
    alarms.set('a', 11_000);
    alarms.set('b', 14_999);
    jest.advanceTimersByTime(14_999);
    expect(calls).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(calls).toEqual([['a', 'b']]);
    jest.advanceTimersByTime(45_000);
    expect(calls).toEqual([['a', 'b'], ['late']]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('take the last time of a key', () => {
    const { alarms, calls } = create();
    alarms.set('a', 10_000);
    alarms.set('a', 20_000);
    jest.advanceTimersByTime(10_000);
    expect(calls).toEqual([]);
    jest.advanceTimersByTime(10_000);
    expect(calls).toEqual([['a']]);
  });

  it('call at once for what is past, and may be set again from the call', () => {
    jest.setSystemTime(100_000);
    const { alarms, calls } = create();
    alarms.onDue(() => {
      if (calls.length === 1) {
        alarms.set('a', 120_000);
      }
    });
    alarms.set('a', 1_000);
    jest.advanceTimersByTime(0);
    expect(calls).toEqual([['a']]);
    jest.advanceTimersByTime(20_000);
    expect(calls).toEqual([['a'], ['a']]);
  });
});
