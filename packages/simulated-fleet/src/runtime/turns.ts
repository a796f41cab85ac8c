/** How long a piece of work may keep the event loop. */
const SLICE_MS = 20;

const waiting: (() => void)[] = [];

function admit(): void {
  waiting.shift()?.();
  if (waiting.length > 0) {
    setImmediate(admit);
  }
}

/** Waits for a turn of the event loop in which nobody else works who waits for one: the fleet's controllers share it with each other. */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    if (waiting.push(resolve) === 1) {
      setImmediate(admit);
    }
  });
}

/** Takes every step of a piece of work, some in each turn, and resolves with what it returns. */
export async function inTurns<T>(work: Iterator<unknown, T>): Promise<T> {
  let end = performance.now() + SLICE_MS;
  for (;;) {
    const step = work.next();
    if (step.done) {
      return step.value;
    }
    if (performance.now() > end) {
      await nextTurn();
      end = performance.now() + SLICE_MS;
    }
  }
}
