/** The most requests that an API server gets. */
export interface RateLimit {
  /** On average. */
  readonly requestsPerSecond: number;
  /** At once, after a time without requests. */
  readonly burst: number;
}

/** A token bucket: each request takes a token, and tokens come at a rate. */
export interface Tokens {
  /** Milliseconds until there is a token; 0 if there is one. */
  waitMs(): number;
  take(): void;
  /**
   * From then on there is one token, and more come.
   * @param at - in milliseconds of the process's monotonic clock; not before the last token was taken
   */
  restart(at: number): void;
}

/**
 * Creates a full bucket.
 * @param limitNow - the rate as it is when asked; with an infinite one there is always a token
 */
export function createTokens(limitNow: () => RateLimit): Tokens {
  let tokens = limitNow().burst;
  let countedAt = performance.now();

  function count() {
    const { requestsPerSecond, burst } = limitNow();
    const now = performance.now();
    if (requestsPerSecond === Infinity) {
      tokens = burst;
    } else {
      const sinceMs = Math.max(0, now - countedAt);
      tokens = Math.min(burst, tokens + (sinceMs * requestsPerSecond) / 1_000);
    }
    countedAt = Math.max(countedAt, now);
    return requestsPerSecond;
  }

  return {
    waitMs() {
      const requestsPerSecond = count();
      return tokens < 1 ? ((1 - tokens) / requestsPerSecond) * 1_000 : 0;
    },
    take() {
      count();
      tokens -= 1;
    },
    restart(at) {
      tokens = 1;
      countedAt = at;
    },
  };
}
