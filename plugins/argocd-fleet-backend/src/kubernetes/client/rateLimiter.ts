import { KubernetesError } from './errors';
import { createPace, type Pace } from './pace';
import { createTokens, type RateLimit } from './tokens';

/**
 * API servers limit them apart: by `--max-requests-inflight` and `--max-mutating-requests-inflight`, or by FlowSchemas
 * of API Priority and Fairness, which match verbs. So a 429 for one says nothing about the other.
 */
export type RequestKind = 'read' | 'write';

/** Limits the requests to one API server, first come, first served; shared by all its clients. */
export interface RateLimiter {
  /**
   * Resolves when a request may be sent.
   * @param signal - called only where the request has to wait
   * @throws KubernetesError `aborted` once that signal is aborted
   */
  pass(kind: RequestKind, signal: () => AbortSignal): Promise<void>;
  /** See {@link Pace.slowDown}: requests of this kind are held, and then slower until there is no 429 for a while. */
  slowDown(kind: RequestKind, sentAt: number, holdMs: number): void;
}

interface Waiting {
  readonly order: number;
  readonly send: () => void;
}

/** The requests of one kind. */
interface Lane {
  readonly pace: Pace;
  /** In their order. */
  readonly waiting: Set<Waiting>;
}

/** Creates a rate limiter; without a limit only a 429 makes requests wait. */
export function createRateLimiter(limit?: RateLimit): RateLimiter {
  const ofServer = limit && createTokens(() => limit);
  const lanes: Readonly<Record<RequestKind, Lane>> = {
    read: { pace: createPace(), waiting: new Set() },
    write: { pace: createPace(), waiting: new Set() },
  };
  let timer: NodeJS.Timeout | undefined;
  let passed = 0;

  function lanesWaiting(): Lane[] {
    return Object.values(lanes).filter(({ waiting }) => waiting.size > 0);
  }

  /** Milliseconds until a request may be sent; takes its tokens where that is 0. */
  function take({ pace }: Lane): number {
    const waitMs = Math.max(ofServer?.waitMs() ?? 0, pace.waitMs());
    if (waitMs === 0) {
      ofServer?.take();
      pace.take();
    }
    return waitMs;
  }

  /** In their order; a kind that is held does not keep the other waiting. */
  function sendWaiting() {
    let shortestMs = Infinity;
    let ready = lanesWaiting();
    while (ready.length > 0) {
      const lane = ready.reduce((one, other) =>
        firstOf(one).order < firstOf(other).order ? one : other,
      );
      const waitMs = take(lane);
      if (waitMs > 0) {
        shortestMs = Math.min(shortestMs, waitMs);
        ready = ready.filter(it => it !== lane);
      } else {
        const request = firstOf(lane);
        lane.waiting.delete(request);
        request.send();
        ready = ready.filter(({ waiting }) => waiting.size > 0);
      }
    }
    clearTimeout(timer);
    timer =
      shortestMs < Infinity
        ? setTimeout(sendWaiting, Math.ceil(shortestMs))
        : undefined;
  }

  return {
    async pass(kind, signalOf) {
      const lane = lanes[kind];
      if (lanesWaiting().length === 0 && take(lane) === 0) {
        return;
      }
      const signal = signalOf();
      await new Promise<void>((resolve, reject) => {
        const settled = new AbortController();
        passed += 1;
        const request: Waiting = {
          order: passed,
          send() {
            settled.abort();
            resolve();
          },
        };
        const abort = () => {
          lane.waiting.delete(request);
          if (lanesWaiting().length === 0) {
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
        lane.waiting.add(request);
        signal.addEventListener('abort', abort, {
          once: true,
          signal: settled.signal,
        });
        if (signal.aborted) {
          abort();
        } else if (lane.waiting.size === 1) {
          // Those of the same kind have a timer already.
          sendWaiting();
        }
      });
    },
    slowDown(kind, sentAt, holdMs) {
      lanes[kind].pace.slowDown(sentAt, holdMs);
    },
  };
}

/** Of a lane where requests wait. */
function firstOf({ waiting }: Lane): Waiting {
  const [first] = waiting;
  return first;
}
