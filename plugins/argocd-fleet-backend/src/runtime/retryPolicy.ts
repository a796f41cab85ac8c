import { ServiceUnavailableError } from '@backstage/errors';
import { isKubernetesError } from '../kubernetes/client';

/** When a key whose reconcile failed is retried. */
export interface Retry {
  /** Milliseconds until the retry. */
  readonly afterMs: number;
  /** Whether an event that concerns the key causes a retry at once. */
  readonly onChange: boolean;
  /** Whether a single failure of this kind is normal and not reported. */
  readonly expected: boolean;
}

interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
  readonly onChange: boolean;
}

/** The cache is behind the hub: the watch will bring the missing event. */
const STALE_CACHE: Backoff = { firstMs: 50, maxMs: 5_000, onChange: true };
/** The hub or the database is busy or unavailable. */
const UNAVAILABLE: Backoff = { firstMs: 250, maxMs: 30_000, onChange: false };
/** A permission, an object or our own code has to change first. */
const NEEDS_CHANGE: Backoff = {
  firstMs: 10_000,
  maxMs: 300_000,
  onChange: true,
};

/**
 * The only place that decides when a failed key is retried. No key is given up: one that keeps failing is retried less
 * often.
 * @param attempt - failures in a row, from 1
 * @param random - between 0 and 1; spreads the retries of keys that failed together
 */
export function retryOf(
  error: unknown,
  attempt: number,
  random: number,
): Retry {
  const backoff = backoffOf(error);
  const { firstMs, maxMs, onChange } = backoff;
  const waitMs = Math.min(maxMs, firstMs * 2 ** Math.min(attempt - 1, 20));
  const retryAfterMs = isKubernetesError(error)
    ? (error.retryAfter ?? 0) * 1000
    : 0;
  return {
    afterMs: Math.max(retryAfterMs, waitMs * (0.75 + random / 2)),
    onChange,
    expected: attempt === 1 && backoff === STALE_CACHE,
  };
}

function backoffOf(error: unknown): Backoff {
  if (
    isKubernetesError(error, 'conflict', 'alreadyExists', 'notFound', 'gone')
  ) {
    return STALE_CACHE;
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
    return UNAVAILABLE;
  }
  return NEEDS_CHANGE;
}
