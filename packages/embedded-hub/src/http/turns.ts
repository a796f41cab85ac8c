const waiting: (() => void)[] = [];

function admit(): void {
  waiting.shift()?.();
  if (waiting.length > 0) {
    setImmediate(admit);
  }
}

/**
 * Waits for a turn of the event loop in which no other piece of work is done. However many requests come at once, timers, sockets and
 * whoever shares the process never wait for more than one of them.
 */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    if (waiting.push(resolve) === 1) {
      setImmediate(admit);
    }
  });
}
