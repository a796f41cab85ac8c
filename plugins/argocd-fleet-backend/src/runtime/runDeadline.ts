/** After the end of a run's window, requests under way have so many milliseconds to finish before they are cut off. */
export const REQUEST_GRACE_MS = 8_000;

/**
 * When a run ends and until when its requests may last. The claim of the run's task on its hub ends with the task's
 * timeout. No request may outlive it, as another replica may write by then.
 */
export interface RunDeadline {
  /** Aborted when the window has passed, or the run is stopped or ended. No key is begun after that. */
  readonly signal: AbortSignal;
  /** Aborted with the task, or {@link REQUEST_GRACE_MS} after `signal`. */
  readonly requestSignal: AbortSignal;
  /** No write is sent from then on; milliseconds since the epoch. */
  readonly notAfter: number;
  /** Whether the run was stopped on purpose. */
  readonly isStopped: boolean;
  /** Whether requests had to be cut off at the end of their grace period. */
  readonly wasCutOff: boolean;
  /** Ends the run; requests under way have their grace period. */
  end(): void;
  /** To be called once all requests have finished. */
  close(): void;
}

/**
 * Creates the deadline of a run that begins now.
 * @param taskSignal - aborted when the task's claim on the hub ends
 * @param stopSignal - aborted when the backend shuts down
 */
export function createRunDeadline(
  taskSignal: AbortSignal,
  stopSignal: AbortSignal,
  windowMs: number,
): RunDeadline {
  const ended = new AbortController();
  const cutOff = new AbortController();
  const closed = new AbortController();
  const signal = AbortSignal.any([
    taskSignal,
    stopSignal,
    ended.signal,
    AbortSignal.timeout(windowMs),
  ]);
  let grace: NodeJS.Timeout | undefined;
  signal.addEventListener(
    'abort',
    () => {
      grace = setTimeout(() => cutOff.abort(), REQUEST_GRACE_MS);
    },
    { once: true },
  );
  return {
    signal,
    requestSignal: AbortSignal.any([taskSignal, cutOff.signal, closed.signal]),
    notAfter: Date.now() + windowMs + REQUEST_GRACE_MS,
    get isStopped() {
      return taskSignal.aborted || stopSignal.aborted;
    },
    get wasCutOff() {
      return cutOff.signal.aborted;
    },
    end: () => ended.abort(),
    close() {
      clearTimeout(grace);
      // Nothing of this run may go on in the next one: the task's signal is not aborted where a run fails.
      closed.abort();
    },
  };
}
