import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds; shorter than Jest's limit for a test, so that a wait in vain says what it was for. */
const LIMIT_MS = 50_000;

/**
 * Repeats the check until it returns neither undefined nor false, and returns its result. Errors of the check count as
 * undefined. Its limit is only for what never comes.
 */
export async function waitFor<T>(
  check: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = LIMIT_MS,
  everyMs = 15,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const startedAt = performance.now();
    let lastError: unknown;
    try {
      const result = await check();
      if (result !== undefined && result !== false) {
        return result;
      }
    } catch (error) {
      lastError = error;
    }
    const now = performance.now();
    if (now > end) {
      const last =
        lastError === undefined ? '' : `\nIts last error: ${lastError}`;
      throw new Error(`Not fulfilled after ${timeoutMs} ms: ${check}${last}`, {
        cause: lastError,
      });
    }
    // An expensive check leaves as much time to what it waits for.
    await pause(Math.max(everyMs, now - startedAt));
  }
}
