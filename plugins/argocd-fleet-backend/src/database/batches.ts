import { setTimeout as pause } from 'node:timers/promises';

/** Rows: few enough to block neither other writers nor, with SQLite, the process. */
export const BATCH = 100;

/**
 * Repeats a batch until it changes no row or the signal is aborted. It pauses after each batch for as long as the batch
 * took, so that process and disk are free for other work.
 * @param batch - returns the number of rows that it changed
 * @returns the number of all changed rows
 */
export async function inBatches(
  signal: AbortSignal,
  batch: () => PromiseLike<number>,
): Promise<number> {
  let changed = 0;
  while (!signal.aborted) {
    const begun = performance.now();
    const count = await batch();
    if (count === 0) {
      break;
    }
    changed += count;
    await pause(performance.now() - begun);
  }
  return changed;
}
