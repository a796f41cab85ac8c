import { setTimeout as delay } from 'node:timers/promises';
import { REAL_HUB_KUBECONFIG } from './environment';

/**
 * How long to wait for a condition. It is for hangs only, and shorter than Jest's limit of a test, whose message would
 * not say what was waited for. A real hub is slower: its garbage collector lists new resources every 30 s only, and
 * collects nothing until it has synced them.
 */
export const LIMIT_MS = REAL_HUB_KUBECONFIG ? 120_000 : 50_000;

/**
 * Repeats the attempt until it no longer throws; rethrows the last error after the limit or when it cannot be retried.
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  options: {
    /** {@link LIMIT_MS} by default. */
    readonly limitMs?: number;
    /** Pause between two attempts; 100 ms by default. */
    readonly intervalMs?: number;
    /** Whether another attempt may succeed after this error; always true by default. */
    readonly isRetryable?: (error: unknown) => boolean;
  } = {},
): Promise<T> {
  const {
    limitMs = LIMIT_MS,
    intervalMs = 100,
    isRetryable = () => true,
  } = options;
  const deadline = Date.now() + limitMs;
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

/** Reads a value until it is as expected and returns it; fails with the last value after {@link LIMIT_MS}. */
export function eventually<T>(
  read: () => Promise<T> | T,
  isExpected: (value: T) => boolean,
): Promise<T> {
  return retry(
    async () => {
      const value = await read();
      if (!isExpected(value)) {
        throw new UnexpectedValue(
          `still ${JSON.stringify(value)} after ${LIMIT_MS / 1000} s`,
        );
      }
      return value;
    },
    {
      intervalMs: 20,
      isRetryable: error => error instanceof UnexpectedValue,
    },
  );
}
