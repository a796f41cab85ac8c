import { KubernetesError } from './errors';

/** The most requests that an API server gets. */
export interface RateLimit {
  /** On average. */
  readonly requestsPerSecond: number;
  /** At once, after a time without requests. */
  readonly burst: number;
}

/** Limits the requests to one API server, first come, first served; shared by all its clients. */
export interface RateLimiter {
  /**
   * Resolves when a request may be sent.
   * @param signal - called only where the request has to wait
   * @throws KubernetesError `aborted` once that signal is aborted
   */
  pass(signal: () => AbortSignal): Promise<void>;
  /** Sends nothing for so many milliseconds, as the API server asked. */
  hold(ms: number): void;
}

/**
 * Rate of the waiting requests after a hold: where the API server is still overloaded, the first response holds back
 * the rest.
 */
const RESUMED_PER_SECOND = 50;

/** Creates a rate limiter; without a limit only {@link RateLimiter.hold} makes requests wait. */
export function createRateLimiter(limit?: RateLimit): RateLimiter {
  const burst = limit?.burst ?? Infinity;
  const waiting = new Set<() => void>();
  let tokens = burst;
  let countedAt = performance.now();
  let heldUntil = 0;
  /** From a hold until no request waits any more. */
  let resuming = false;
  let timer: NodeJS.Timeout | undefined;

  function ratePerMs(): number {
    const perSecond = limit?.requestsPerSecond ?? Infinity;
    return (
      (resuming ? Math.min(perSecond, RESUMED_PER_SECOND) : perSecond) / 1000
    );
  }

  /** Milliseconds until the next request may be sent; takes its token where that is 0. */
  function take(): number {
    const now = performance.now();
    if (now < heldUntil) {
      return heldUntil - now;
    }
    const rate = ratePerMs();
    if (rate === Infinity) {
      return 0;
    }
    const since = Math.max(0, now - Math.max(countedAt, heldUntil));
    tokens = Math.min(resuming ? 1 : burst, tokens + since * rate);
    countedAt = now;
    if (tokens < 1) {
      return (1 - tokens) / rate;
    }
    tokens -= 1;
    return 0;
  }

  function sendWaiting() {
    clearTimeout(timer);
    timer = undefined;
    for (const send of waiting) {
      const waitMs = take();
      if (waitMs > 0) {
        timer = setTimeout(sendWaiting, Math.ceil(waitMs));
        return;
      }
      waiting.delete(send);
      send();
    }
    resuming = false;
  }

  return {
    async pass(signalOf) {
      if (waiting.size === 0 && take() === 0) {
        return;
      }
      const signal = signalOf();
      await new Promise<void>((resolve, reject) => {
        const settled = new AbortController();
        const send = () => {
          settled.abort();
          resolve();
        };
        const abort = () => {
          waiting.delete(send);
          if (waiting.size === 0) {
            clearTimeout(timer);
            timer = undefined;
          }
          reject(
            new KubernetesError(
              'aborted',
              'Stopped while it waited for the rate limiter',
              {
                cause: signal.reason,
              },
            ),
          );
        };
        waiting.add(send);
        signal.addEventListener('abort', abort, {
          once: true,
          signal: settled.signal,
        });
        if (signal.aborted) {
          abort();
        } else if (!timer) {
          sendWaiting();
        }
      });
    },
    hold(ms) {
      heldUntil = Math.max(heldUntil, performance.now() + ms);
      resuming = true;
      tokens = Math.min(tokens, 1);
    },
  };
}
