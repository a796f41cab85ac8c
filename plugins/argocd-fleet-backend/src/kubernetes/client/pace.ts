import { createTokens } from './tokens';

/** How fast requests of one kind may be sent to an API server, as its responses 429 show. */
export interface Pace {
  /** Milliseconds until the next request may be sent; 0 if it may be sent now. */
  waitMs(): number;
  /** A request is sent now. */
  take(): void;
  /**
   * The API server responded 429.
   * @param sentAt - when the request was sent, in milliseconds of the process's monotonic clock
   * @param holdMs - for which it wants no request
   */
  slowDown(sentAt: number, holdMs: number): void;
}

/**
 * Requests a second after a hold: where the API server is still overloaded, its first response holds back the rest. One
 * that cannot take even that many gets half as many with each further 429.
 */
const FIRST_PER_SECOND = 50;
/** With fewer, the rate would take minutes to grow again. */
const LEAST_PER_SECOND = 1;
/**
 * Milliseconds without another 429 in which the rate doubles. It is relative, so that it suits an API server that can
 * take 10 requests a second as well as one that can take 500; and some times a hold, which is usually one second, so that
 * most of the time is not spent holding.
 */
const DOUBLES_IN_MS = 5_000;
/** More a second than one backend sends: from there on, nothing is limited any more. */
const UNLIMITED_PER_SECOND = 1_000;
/** Milliseconds whose requests may be sent at once: timers are late in a busy process. */
const SAVED_MS = 100;

/** Creates the pace; nothing is limited before the first 429. */
export function createPace(): Pace {
  let heldSince = -Infinity;
  let heldUntil = -Infinity;
  let firstPerSecond = Infinity;
  const tokens = createTokens(() => {
    const requestsPerSecond = ratePerSecond();
    const saved = (requestsPerSecond * SAVED_MS) / 1_000;
    return { requestsPerSecond, burst: Math.max(1, saved) };
  });

  function ratePerSecond(): number {
    const sinceMs = Math.max(0, performance.now() - heldUntil);
    const perSecond = firstPerSecond * 2 ** (sinceMs / DOUBLES_IN_MS);
    return perSecond < UNLIMITED_PER_SECOND ? perSecond : Infinity;
  }

  return {
    waitMs() {
      const holdMs = heldUntil - performance.now();
      return holdMs > 0 ? holdMs : tokens.waitMs();
    },
    take: tokens.take,
    slowDown(sentAt, holdMs) {
      if (sentAt >= heldUntil) {
        firstPerSecond = Math.max(
          LEAST_PER_SECOND,
          Math.min(FIRST_PER_SECOND, ratePerSecond() / 2),
        );
        heldSince = performance.now();
      }
      // Those that were sent before the hold show only once that there were too many; the longest hold counts.
      const until = heldSince + holdMs;
      if (until > heldUntil) {
        heldUntil = until;
        tokens.restart(until);
      }
    },
  };
}
