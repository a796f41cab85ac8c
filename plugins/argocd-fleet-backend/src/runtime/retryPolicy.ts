import { ServiceUnavailableError } from '@backstage/errors';
import { isKubernetesError } from '../kubernetes/client';

/** What to do about a key whose reconciliation failed. */
export interface Retry {
  /** Milliseconds until it is tried again. */
  readonly afterMs: number;
  /** Whether a change of what it depends on is reason enough to try at once. */
  readonly onChange: boolean;
  /** Whether it is everyday life when it happens once: nobody needs to hear of it. */
  readonly expected: boolean;
}

interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
  readonly onChange: boolean;
}

/** The cache is a moment behind the hub: the watch brings what is missing. */
const STALE: Backoff = { firstMs: 50, maxMs: 5_000, onChange: true };
/** The hub, or what else is needed, is busy or away. */
const AWAY: Backoff = { firstMs: 250, maxMs: 30_000, onChange: false };
/** Somebody has to change something first. */
const REFUSED: Backoff = { firstMs: 10_000, maxMs: 300_000, onChange: true };

/**
 * The one place that says when a failure is tried again. Nothing is ever given up for good: what is refused is only asked less often.
 * @param attempt - failures in a row, from 1
 * @param random - between 0 and 1; spreads what failed together
 */
export function retryOf(
  error: unknown,
  attempt: number,
  random: number,
): Retry {
  const backoff = backoffOf(error);
  const { firstMs, maxMs, onChange } = backoff;
  const waitMs = Math.min(maxMs, firstMs * 2 ** Math.min(attempt - 1, 20));
  const asked = isKubernetesError(error) ? (error.retryAfter ?? 0) * 1000 : 0;
  return {
    afterMs: Math.max(asked, waitMs * (0.75 + random / 2)),
    onChange,
    expected: attempt === 1 && backoff === STALE,
  };
}

function backoffOf(error: unknown): Backoff {
  if (
    isKubernetesError(error, 'conflict', 'alreadyExists', 'notFound', 'gone')
  ) {
    return STALE;
  }
  if (
    isKubernetesError(
      error,
      'unavailable',
      'throttled',
      'unauthorized',
      'aborted',
    ) ||
    error instanceof ServiceUnavailableError
  ) {
    return AWAY;
  }
  return REFUSED;
}
