import { setTimeout as pause } from 'node:timers/promises';

/** Rows: few enough not to hold up anybody who writes meanwhile, nor the process, where the database is SQLite. */
export const BATCH = 100;

/**
 * Repeats until a batch has nothing to do, or the signal is aborted; after each, others have the process and the disk for as long as it
 * took.
 * @param batch - answers with the rows that it changed
 * @returns all of them
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
