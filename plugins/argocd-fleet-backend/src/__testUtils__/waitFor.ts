import { setTimeout as pause } from 'node:timers/promises';

/**
 * Repeats the check until it returns neither undefined nor false, and returns its result. Errors of the check count as
 * undefined.
 * @param timeoutMs - time limit in milliseconds; then the check's last error is thrown
 * @param everyMs - milliseconds between two checks; use more for an expensive check
 */
export async function waitFor<T>(
  check: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = 30_000,
  everyMs = 15,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    let lastError: unknown = new Error(
      `Not fulfilled after ${timeoutMs} ms: ${check}`,
    );
    try {
      const result = await check();
      if (result !== undefined && result !== false) {
        return result;
      }
    } catch (error) {
      lastError = error;
    }
    if (Date.now() > end) {
      throw lastError;
    }
    await pause(everyMs);
  }
}
