import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits until the check neither throws nor gives undefined or false, and answers with what it gave. Fails with the check's own last
 * complaint after `timeoutMs` milliseconds.
 * @param everyMs - between two looks; longer for a look that is work
 */
export async function waitFor<T>(
  check: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = 30_000,
  everyMs = 15,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    let complaint: unknown = new Error(
      `Still not so after ${timeoutMs} ms: ${check}`,
    );
    try {
      const result = await check();
      if (result !== undefined && result !== false) {
        return result;
      }
    } catch (error) {
      complaint = error;
    }
    if (Date.now() > end) {
      throw complaint;
    }
    await pause(everyMs);
  }
}
