import { setTimeout as delay } from 'node:timers/promises';

/**
 * Repeats the attempt until it no longer throws; rethrows the last error after the timeout or when it cannot be
 * retried.
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  options: {
    readonly timeoutMs: number;
    /** Pause between two attempts; 100 ms by default. */
    readonly intervalMs?: number;
    /** Whether another attempt may succeed after this error; always true by default. */
    readonly isRetryable?: (error: unknown) => boolean;
  },
): Promise<T> {
  const { timeoutMs, intervalMs = 100, isRetryable = () => true } = options;
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isRetryable(error) || Date.now() > deadline) {
        throw error;
      }
    }
    await delay(intervalMs);
  }
}

class UnexpectedValue extends Error {}

/** Reads a value until it is as expected and returns it; fails with the last value after the timeout. */
export function eventually<T>(
  read: () => Promise<T> | T,
  isExpected: (value: T) => boolean,
  timeoutMs = 10_000,
): Promise<T> {
  return retry(
    async () => {
      const value = await read();
      if (!isExpected(value)) {
        throw new UnexpectedValue(
          `still ${JSON.stringify(value)} after ${timeoutMs / 1000} s`,
        );
      }
      return value;
    },
    {
      timeoutMs,
      intervalMs: 20,
      isRetryable: error => error instanceof UnexpectedValue,
    },
  );
}
