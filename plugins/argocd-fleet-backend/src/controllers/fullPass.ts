/** One pass over every key. */
export interface FullPass {
  /** Resolves once each key has been worked on. */
  readonly completed: Promise<void>;
  /** To be told of each key that has been worked on, or could not be looked at. */
  finished(key: string, looked: boolean): void;
}

/** Queues the keys, and calls back once each has been worked on; not where one could not be looked at: that was no full pass. */
export function createFullPass(options: {
  readonly keys: Iterable<string>;
  readonly enqueue: (key: string) => void;
  readonly onCompleted: () => void;
}): FullPass {
  const { enqueue, onCompleted } = options;
  const left = new Set(options.keys);
  let full = true;
  let resolve = () => {};
  const completed = new Promise<void>(done => {
    resolve = done;
  });
  const checkCompleted = () => {
    if (left.size === 0) {
      if (full) {
        onCompleted();
      }
      resolve();
    }
  };
  left.forEach(enqueue);
  checkCompleted();
  return {
    completed,
    finished(key, looked) {
      if (left.delete(key)) {
        full &&= looked;
        checkCompleted();
      }
    },
  };
}

/** Resolves after so many milliseconds, or once any of the signals is aborted. */
export function pause(
  ms: number | undefined,
  ...signals: AbortSignal[]
): Promise<void> {
  return new Promise<void>(resolve => {
    const signal = AbortSignal.any(signals);
    const timer =
      ms === undefined ? undefined : setTimeout(resolve, Math.max(0, ms));
    const stop = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) {
      stop();
    }
  });
}
