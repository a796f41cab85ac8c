import { useSyncExternalStore } from 'react';

const TICK_MS = 1_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    listeners.forEach(each => each());
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

function read(): number {
  // Nothing keeps it without a reader, and the ticks of a busy page are late.
  if (Math.abs(Date.now() - now) >= TICK_MS) {
    now = Date.now();
  }
  return now;
}

/**
 * The current time, of one clock for the whole page, so that equal ages look equal. It is ahead by up to a tick, and by
 * the rest of the step, never behind: no age is shown too short.
 * @param step - milliseconds in which it goes on; at least a second
 * @returns epoch milliseconds
 */
export function useNow(step: number): number {
  return useSyncExternalStore(subscribe, () => {
    const ahead = read() + TICK_MS;
    return step > TICK_MS ? Math.ceil(ahead / step) * step : ahead;
  });
}
