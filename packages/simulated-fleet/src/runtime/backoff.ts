import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds to wait before retry number `attempt` (from 1): 100 ms, doubled each time, up to 10 s. */
export function backoffMs(attempt: number): number {
  return Math.min(10_000, 100 * 2 ** Math.min(attempt - 1, 10));
}

/** Waits `ms` milliseconds; returns early if the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
  }
}
