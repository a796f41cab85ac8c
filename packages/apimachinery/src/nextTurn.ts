const waiting: (() => void)[] = [];

function admit(): void {
  waiting.shift()?.();
  if (waiting.length > 0) {
    setImmediate(admit);
  }
}

/**
 * Resolves in a turn of the event loop of its own: one caller for each turn, in the order of the calls. However many
 * callers there are, timers and sockets wait for one piece of work at most.
 */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    if (waiting.push(resolve) === 1) {
      setImmediate(admit);
    }
  });
}
