/** Ends one request: when its time is over, or when another signal is aborted. */
export interface RequestDeadline {
  /** Aborted when the time is over or another signal is aborted. */
  readonly signal: AbortSignal;
  /** Whether the time is over. */
  readonly expired: boolean;
  /** Gives the request so many milliseconds from now. */
  restart(ms: number): void;
  /** Call it when the request has ended: it removes the timer and all listeners. */
  end(): void;
}

/**
 * Starts the deadline of a request. `AbortSignal.timeout` and `AbortSignal.any` would do the same, but stay in memory
 * until the time is over: seconds after each of thousands of requests that took milliseconds.
 */
export function startDeadline(
  ms: number,
  others: readonly AbortSignal[],
): RequestDeadline {
  const request = new AbortController();
  const stop = () => request.abort();
  let expired = false;
  const startTimer = (delay: number) =>
    setTimeout(() => {
      expired = true;
      stop();
    }, delay);
  let timer = startTimer(ms);
  for (const other of others) {
    other.addEventListener('abort', stop);
    if (other.aborted) {
      stop();
    }
  }
  return {
    signal: request.signal,
    get expired() {
      return expired;
    },
    restart(newMs) {
      clearTimeout(timer);
      timer = startTimer(newMs);
    },
    end() {
      clearTimeout(timer);
      others.forEach(other => other.removeEventListener('abort', stop));
    },
  };
}
