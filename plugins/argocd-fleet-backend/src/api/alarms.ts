/** Calls for what changes by time alone: no event says so. */
export interface Alarms {
  /** @param at - milliseconds since the epoch; a later call for the same key replaces an earlier one */
  set(key: string, at: number): void;
  /** @param listener - called with the keys that are due */
  onDue(listener: (keys: readonly string[]) => void): void;
}

/** What is due within so many milliseconds is due together: whoever listens loads once. */
const TOGETHER_MS = 5_000;

/** Creates alarms. They do not keep the process alive. */
export function createAlarms(): Alarms {
  const listeners: ((keys: readonly string[]) => void)[] = [];
  const times = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Infinity;

  function wakeAt(at: number) {
    if (at < timerAt) {
      clearTimeout(timer);
      timerAt = at;
      timer = setTimeout(ring, Math.max(0, at - Date.now())).unref();
    }
  }

  function ring() {
    const now = Date.now();
    timerAt = Infinity;
    const due = [...times].flatMap(([key, at]) => (at <= now ? [key] : []));
    due.forEach(key => times.delete(key));
    times.forEach(wakeAt);
    if (due.length > 0) {
      listeners.forEach(listener => listener(due));
    }
  }

  return {
    set(key, at) {
      const together = Math.ceil(at / TOGETHER_MS) * TOGETHER_MS;
      times.set(key, together);
      wakeAt(together);
    },
    onDue(listener) {
      listeners.push(listener);
    },
  };
}
