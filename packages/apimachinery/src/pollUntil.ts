import { setTimeout as sleep } from 'node:timers/promises';

/** For hangs only, and shorter than Jest's limit of a test, whose message would not say what was waited for. */
const LIMIT_MS = 50_000;

/** Calls `read` every 10 ms until its value `holds`; throws an error with the last value after 50 s. */
export async function pollUntil<T>(
  read: () => Promise<T> | T,
  holds: (value: T) => boolean,
): Promise<T> {
  const end = Date.now() + LIMIT_MS;
  for (;;) {
    const value = await read();
    if (holds(value)) {
      return value;
    }
    if (Date.now() > end) {
      throw new Error(
        `still ${JSON.stringify(value)} after ${LIMIT_MS / 1000} s`,
      );
    }
    await sleep(10);
  }
}
