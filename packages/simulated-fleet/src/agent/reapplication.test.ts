import { Clock } from '../runtime/clock';
import { createReapplication } from './reapplication';

const INTERVAL_MS = 240_000;

/** A clock that passes when the test says so. */
function manualClock() {
  let ticks = 0;
  const timers: { at: number; task: () => void }[] = [];
  const clock: Pick<Clock, 'ticks' | 'after'> = {
    ticks: () => ticks,
    after(ms, task) {
      timers.push({ at: ticks + ms, task });
      return () => undefined;
    },
  };
  return {
    clock: clock as Clock,
    timers,
    /** Runs the next timer. */
    async next() {
      const timer = timers.shift()!;
      ticks = timer.at;
      timer.task();
      await new Promise(setImmediate);
      return ticks;
    },
  };
}

function reapplications(keys: string[], signal = new AbortController().signal) {
  const manual = manualClock();
  const times = new Map<string, number>();
  const reapplication = createReapplication({
    clock: manual.clock,
    signal,
    intervalMs: INTERVAL_MS,
    reapply: key => times.set(key, manual.clock.ticks()),
  });
  keys.forEach(reapplication.schedule);
  return { ...manual, times, reapplication };
}

const KEYS = Array.from({ length: 1000 }, (_, index) => `c1/w${index}`);

describe('works without a change', () => {
  it('are applied again after four to six minutes, spread over that time', async () => {
    const { times, timers, next } = reapplications(KEYS);
    while (timers.length > 0) {
      await next();
    }
    const minutes = [...times.values()].map(ms => ms / 60_000);
    expect(times.size).toBe(KEYS.length);
    expect(Math.min(...minutes)).toBeGreaterThanOrEqual(4);
    // A timer serves a slot of some seconds.
    expect(Math.max(...minutes)).toBeLessThanOrEqual(6.1);
    const perMinute = [4, 5].map(
      minute => minutes.filter(each => Math.floor(each) === minute).length,
    );
    perMinute.forEach(count => expect(count).toBeGreaterThan(400));
  });

  it('are applied at the same times in every run', async () => {
    const runs = [reapplications(KEYS), reapplications(KEYS)];
    for (const { timers, next } of runs) {
      while (timers.length > 0) {
        await next();
      }
    }
    expect([...runs[0].times]).toEqual([...runs[1].times]);
  });

  it('share one timer, and keep the time for which they are scheduled', async () => {
    const { timers, times, next, reapplication } = reapplications(KEYS);
    const [key] = KEYS;
    while (!times.has(key)) {
      expect(timers).toHaveLength(1);
      reapplication.schedule(key);
      await next();
    }
    expect(times.get(key)).toBeLessThanOrEqual(INTERVAL_MS * 1.525);
  });

  it('are not applied again after the end of the fleet', async () => {
    const abort = new AbortController();
    const { timers, times, next } = reapplications(KEYS, abort.signal);
    abort.abort();
    await next();
    while (timers.length > 0) {
      await next();
    }
    expect(times.size).toBe(0);
  });
});
