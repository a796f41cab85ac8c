import { setTimeout as sleep } from 'node:timers/promises';

/** Calls `read` every 10 ms until its value `holds`; throws an error with the last value after five seconds. */
export async function pollUntil<T>(
  read: () => Promise<T> | T,
  holds: (value: T) => boolean,
): Promise<T> {
  const end = Date.now() + 5_000;
  for (;;) {
    const value = await read();
    if (holds(value)) {
      return value;
    }
    if (Date.now() > end) {
      throw new Error(`still ${JSON.stringify(value)} after five seconds`);
    }
    await sleep(10);
  }
}
