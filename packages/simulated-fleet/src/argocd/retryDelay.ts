import { OperationState } from '../kubernetes/argocdTypes';

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
const MAX_MS = 180_000;

/**
 * How long a failing operation waits before its next attempt: the operation's
 * own backoff as Argo CD computes it, else `defaultMs`.
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
    goDurationMs(maxDuration) ?? MAX_MS,
    (goDurationMs(duration) ?? defaultMs) *
      factor ** Math.max(0, retryCount - 1),
  );
}

/** A Go duration such as `1m30s` in milliseconds; a plain number is seconds. */
function goDurationMs(text: string | undefined): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  if (/^\d+$/.test(text)) {
    return Number(text) * 1000;
  }
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  return parts.length > 0
    ? parts.reduce((sum, [, n, unit]) => sum + Number(n) * UNIT_MS[unit], 0)
    : undefined;
}
