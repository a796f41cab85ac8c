/** Works of a hub that are written in a second for no other reason than a changed expression. */
export const REWRITES_PER_SECOND = 20;

const INTERVAL_MS = 1_000 / REWRITES_PER_SECOND;

/**
 * The turns of the Applications whose works differ only in their CEL expressions. After an upgrade that is every work
 * of the hub at once. What works report keeps its format, so there is no hurry, and each rewrite causes further writes
 * by the agent.
 *
 * Turns come only while there is a listener, which is during a run; the order of those that wait is kept.
 */
export interface ExpressionRewrites {
  /** Has the key wait for its turn; one that waits already keeps its place. */
  wait(key: string): void;
  /** Removes a key that needs no turn any longer. */
  cancel(key: string): void;
  /** Whether the turn of the key has come and was not taken. */
  isTurn(key: string): boolean;
  /** Whether the turn of the key had come; for another one it has to wait again. */
  takeTurn(key: string): boolean;
  /** Calls back with each key whose turn comes, until the returned function is called. */
  onTurn(listener: (keys: Iterable<string>) => void): () => void;
}

/** Creates the turns of one hub. */
export function createExpressionRewrites(): ExpressionRewrites {
  const waiting = new Set<string>();
  const turns = new Set<string>();
  let notify: ((keys: Iterable<string>) => void) | undefined;
  let timer: NodeJS.Timeout | undefined;

  function schedule() {
    if (notify && waiting.size > 0) {
      timer ??= setTimeout(next, INTERVAL_MS);
    }
  }

  function next() {
    timer = undefined;
    const [key] = waiting;
    if (key !== undefined) {
      waiting.delete(key);
      turns.add(key);
      notify?.([key]);
    }
    schedule();
  }

  return {
    wait(key) {
      waiting.add(key);
      schedule();
    },
    cancel: key => void waiting.delete(key),
    // Asked for each key of each pass, nearly always in vain: to hash the key would take longer.
    isTurn: key => turns.size > 0 && turns.has(key),
    takeTurn: key => turns.delete(key),
    onTurn(listener) {
      notify = listener;
      schedule();
      return () => {
        notify = undefined;
        clearTimeout(timer);
        timer = undefined;
      };
    },
  };
}
