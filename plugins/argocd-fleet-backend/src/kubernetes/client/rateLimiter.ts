import { KubernetesError } from './errors';

/** How many requests a hub is to get at most. */
export interface RateLimit {
  /** On average. */
  readonly requestsPerSecond: number;
  /** At once, after a quiet time. */
  readonly burst: number;
}

/** Lets requests to one hub out, first come, first served; shared by all that speak to it. */
export interface RateLimiter {
  /**
   * Resolves when a request may be sent.
   * @param signal - asked for only where the request has to wait
   * @throws HubError `aborted` once that signal is aborted
   */
  pass(signal: () => AbortSignal): Promise<void>;
  /** Lets nothing out for so many milliseconds: the hub asked for it. */
  hold(ms: number): void;
}

/** After a hold those who wait set out at this rate: where the hub still has enough, the first to hear of it holds back the rest. */
const RESUMING_PER_SECOND = 50;

/** Creates an open gate; without a limit only {@link RateLimiter.hold} closes it. */
export function createRateLimiter(limit?: RateLimit): RateLimiter {
  const burst = limit?.burst ?? Infinity;
  const waiting = new Set<() => void>();
  let tokens = burst;
  let countedAt = performance.now();
  let heldUntil = 0;
  /** From a hold until nobody waits any more. */
  let resuming = false;
  let timer: NodeJS.Timeout | undefined;

  function ratePerMs(): number {
    const perSecond = limit?.requestsPerSecond ?? Infinity;
    return (
      (resuming ? Math.min(perSecond, RESUMING_PER_SECOND) : perSecond) / 1000
    );
  }

  /** Milliseconds until the next request may go; takes its token where that is now. */
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

  function letOut() {
    clearTimeout(timer);
    timer = undefined;
    for (const go of waiting) {
      const waitMs = take();
      if (waitMs > 0) {
        timer = setTimeout(letOut, Math.ceil(waitMs));
        return;
      }
      waiting.delete(go);
      go();
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
        const gone = new AbortController();
        const go = () => {
          gone.abort();
          resolve();
        };
        const abandon = () => {
          waiting.delete(go);
          if (waiting.size === 0) {
            clearTimeout(timer);
            timer = undefined;
          }
          reject(
            new KubernetesError(
              'aborted',
              'Stopped while it waited for its turn',
              {
                cause: signal.reason,
              },
            ),
          );
        };
        waiting.add(go);
        signal.addEventListener('abort', abandon, {
          once: true,
          signal: gone.signal,
        });
        if (signal.aborted) {
          abandon();
        } else if (!timer) {
          letOut();
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
