/** Waits until a condition holds; fails with what was seen last. */
export async function eventually<T>(
  look: () => Promise<T> | T,
  holds: (value: T) => boolean,
  timeoutMs = 10_000,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const value = await look();
    if (holds(value)) {
      return value;
    }
    if (Date.now() > end) {
      throw new Error(
        `still ${JSON.stringify(value)} after ${timeoutMs / 1000} s`,
      );
    }
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}
