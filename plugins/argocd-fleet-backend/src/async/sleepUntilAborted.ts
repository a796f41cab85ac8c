import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after so many milliseconds, or as soon as the signal is aborted. */
export async function sleepUntilAborted(
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  await sleep(Math.max(0, ms), undefined, { signal }).catch(() => {
    // Aborted: the caller goes on at once.
  });
}
