/** The end of one request, whatever brings it. */
export interface RequestDeadline {
  /** Aborted when the time is over, or once one of the other signals is. */
  readonly signal: AbortSignal;
  /** Whether it was the time that ended it. */
  readonly expired: boolean;
  /** To be called when the request has ended by itself. */
  end(): void;
}

/**
 * Starts the clock of a request. `AbortSignal.timeout` and `AbortSignal.any` would do the same, and hold on to what they are made of
 * until the time is over: seconds after a request that took milliseconds, thousands of times over.
 */
export function startDeadline(
  ms: number,
  others: readonly AbortSignal[],
): RequestDeadline {
  const request = new AbortController();
  const stop = () => request.abort();
  let expired = false;
  const timer = setTimeout(() => {
    expired = true;
    stop();
  }, ms);
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
    end() {
      clearTimeout(timer);
      others.forEach(other => other.removeEventListener('abort', stop));
    },
  };
}
