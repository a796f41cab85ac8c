import { nextTurn } from 'apimachinery';

export { nextTurn };

/** How long a piece of work may keep the event loop. */
const SLICE_MS = 20;

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
