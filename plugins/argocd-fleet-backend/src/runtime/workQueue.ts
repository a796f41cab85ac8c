/**
 * Keys that wait to be reconciled, each at most once. A key that is added while it is being reconciled is returned
 * again afterwards, so that no event is missed, and two workers never have the same key.
 */
export interface WorkQueue {
  /** Keys that are due and not taken yet. */
  readonly size: number;
  /** @param delayMs - milliseconds until the key is due; if the key waits already, the earlier time counts */
  add(key: string, delayMs?: number): void;
  /**
   * The next key that is due; undefined once the signal is aborted. Each must be followed by `done`.
   * @param pause - what to wait for before a key is taken; until then, adding it again changes nothing
   */
  next(
    signal: AbortSignal,
    pause?: () => Promise<void> | undefined,
  ): Promise<string | undefined>;
  done(key: string): void;
  clear(): void;
}

interface Waiter {
  readonly signal: AbortSignal;
  readonly wake: () => void;
}

/** Creates an empty queue. */
export function createWorkQueue(): WorkQueue {
  /** Keys that are due, oldest first. */
  const due = new Set<string>();
  let upcoming = due.values();
  const timers = new Map<
    string,
    { readonly at: number; readonly timer: NodeJS.Timeout }
  >();
  const working = new Set<string>();
  /** Keys to add again once they are done. */
  const again = new Map<string, number>();
  const waiters = new Set<Waiter>();
  const observedSignals = new WeakSet<AbortSignal>();

  function offer(key: string) {
    due.add(key);
    const [waiter] = waiters;
    if (waiter) {
      waiters.delete(waiter);
      waiter.wake();
    }
  }

  /** The iterator is kept: a new one would walk over all deleted entries. */
  function firstDue(): string | undefined {
    const { value } = upcoming.next();
    if (value !== undefined) {
      return value;
    }
    upcoming = due.values();
    return upcoming.next().value;
  }

  function take(): string | undefined {
    const key = firstDue();
    if (key !== undefined) {
      due.delete(key);
      working.add(key);
    }
    return key;
  }

  function cancelTimer(key: string) {
    clearTimeout(timers.get(key)?.timer);
    timers.delete(key);
  }

  function add(key: string, delayMs = 0) {
    if (working.has(key)) {
      again.set(key, Math.min(delayMs, again.get(key) ?? Infinity));
      return;
    }
    if (due.has(key)) {
      return;
    }
    if (delayMs <= 0) {
      cancelTimer(key);
      offer(key);
      return;
    }
    const at = performance.now() + delayMs;
    const waiting = timers.get(key);
    if (waiting && waiting.at <= at) {
      return;
    }
    cancelTimer(key);
    const timer = setTimeout(() => {
      timers.delete(key);
      offer(key);
    }, delayMs);
    timers.set(key, { at, timer });
  }

  /** One listener for each signal: a listener for each wait would cost more than the wait. */
  function wakeWaitersAtEndOf(signal: AbortSignal) {
    if (observedSignals.has(signal)) {
      return;
    }
    observedSignals.add(signal);
    signal.addEventListener('abort', () => {
      for (const waiter of waiters) {
        if (waiter.signal === signal) {
          waiters.delete(waiter);
          waiter.wake();
        }
      }
    });
  }

  return {
    get size() {
      return due.size;
    },
    add,
    async next(signal, pause = () => undefined) {
      for (;;) {
        const pausing = pause();
        if (pausing) {
          await pausing;
        }
        if (signal.aborted) {
          return undefined;
        }
        const key = take();
        if (key !== undefined) {
          return key;
        }
        wakeWaitersAtEndOf(signal);
        await new Promise<void>(wake => {
          waiters.add({ signal, wake });
        });
      }
    },
    done(key) {
      working.delete(key);
      const delayMs = again.get(key);
      if (delayMs !== undefined) {
        again.delete(key);
        add(key, delayMs);
      }
    },
    clear() {
      due.clear();
      again.clear();
      [...timers.keys()].forEach(cancelTimer);
    },
  };
}
