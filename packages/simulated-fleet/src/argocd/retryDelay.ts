import { OperationState } from '../kubernetes/argocdTypes';
import { durationMs } from '../runtime/duration';

const MAX_MS = 180_000;

/**
 * Milliseconds until the next attempt of a failing operation: its own backoff
 * as Argo CD computes it, or `defaultMs` without a backoff.
 */
export function retryDelayMs(
  { operation, retryCount = 0 }: OperationState,
  defaultMs: number,
): number {
  const { duration, factor = 2, maxDuration } = operation.retry?.backoff ?? {};
  if (!duration) {
    return defaultMs;
  }
  return Math.min(
    durationMs(maxDuration ?? '') ?? MAX_MS,
    (durationMs(duration) ?? defaultMs) * factor ** Math.max(0, retryCount - 1),
  );
}
