import type { ChangedEvent } from 'backstage-plugin-argocd-fleet-common';

/**
 * How fresh the data is: `live` follows the event stream, `polling` asks every few seconds because the stream is down, and
 * `reconnecting` says that the last request failed, so that what is shown is the last that was known.
 */
export type Connection = 'live' | 'polling' | 'reconnecting';

export interface LiveState<T> {
  /** The last good answer; kept while later requests fail. */
  readonly data?: T;
  /** Why the last request failed; gone with the next good answer. */
  readonly error?: Error;
  /** When `data` was received, in epoch milliseconds. */
  readonly updatedAt?: number;
  readonly connection: Connection;
}

export interface LiveQuery<T> {
  load(signal: AbortSignal): Promise<T>;
  changes(signal: AbortSignal, onOpen: () => void): AsyncIterable<ChangedEvent>;
  /** Whether an event touches what `load` answers. */
  concerns(event: ChangedEvent, data: T | undefined): boolean;
  /** Whether trying again soon is pointless, as after a refusal. */
  isLasting(error: Error): boolean;
}

/** All in milliseconds. */
export const LIVE_TIMING = {
  /** Events of one burst are answered with one request. */
  coalesce: 150,
  /** A slow backend is not asked again at once, but never later than this after a change. */
  longestCoalesce: 2_000,
  poll: 5_000,
  /** Also while the stream is up: what no event announces, such as a changed annotation or a half-open connection. */
  safetyPoll: 30_000,
  firstRetry: 1_000,
  longestRetry: 30_000,
} as const;

/**
 * Loads at once and again whenever something changed: never two requests at a time, and one request for a burst of changes.
 * @returns how to stop it; after that `onState` is not called any more and requests are aborted
 */
export function startLiveQuery<T>(
  query: LiveQuery<T>,
  onState: (state: LiveState<T>) => void,
  initial: LiveState<T> = { connection: 'polling' },
): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  let state = initial;
  let streamOpen = false;
  let loading = false;
  let changedMeanwhile = false;
  let lastTook = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timerAt = 0;

  function publish(change: Partial<LiveState<T>>) {
    const next = { ...state, ...change };
    const working = streamOpen ? 'live' : 'polling';
    state = { ...next, connection: next.error ? 'reconnecting' : working };
    onState(state);
  }

  /** Keeps the earlier one of what is planned and what is asked for. */
  function loadIn(milliseconds: number) {
    const at = Date.now() + milliseconds;
    if (timer !== undefined && timerAt <= at) {
      return;
    }
    clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(load, milliseconds);
  }

  function loadSoon() {
    if (loading) {
      changedMeanwhile = true;
    } else {
      loadIn(
        Math.min(
          Math.max(LIVE_TIMING.coalesce, lastTook),
          LIVE_TIMING.longestCoalesce,
        ),
      );
    }
  }

  function pollDelay() {
    const lasting = state.error && query.isLasting(state.error);
    return (streamOpen && !state.error) || lasting
      ? LIVE_TIMING.safetyPoll
      : LIVE_TIMING.poll;
  }

  async function load() {
    timer = undefined;
    loading = true;
    changedMeanwhile = false;
    const startedAt = Date.now();
    try {
      const data = await query.load(signal);
      if (!signal.aborted) {
        publish({ data, error: undefined, updatedAt: Date.now() });
      }
    } catch (error) {
      if (!signal.aborted) {
        publish({
          error: error instanceof Error ? error : new Error(String(error)),
        });
      }
    }
    loading = false;
    lastTook = Date.now() - startedAt;
    if (signal.aborted) {
      return;
    }
    if (changedMeanwhile) {
      loadSoon();
    } else {
      loadIn(pollDelay());
    }
  }

  function setStreamOpen(open: boolean) {
    if (open === streamOpen || signal.aborted) {
      return;
    }
    streamOpen = open;
    publish({});
    if (open) {
      // Whatever changed while nobody listened was announced to nobody.
      loadSoon();
    } else {
      loadIn(LIVE_TIMING.poll);
    }
  }

  async function follow() {
    let failures = 0;
    const onOpen = () => {
      failures = 0;
      setStreamOpen(true);
    };
    while (!signal.aborted) {
      try {
        for await (const event of query.changes(signal, onOpen)) {
          if (query.concerns(event, state.data)) {
            loadSoon();
          }
        }
      } catch {
        // Answered like a stream that ended: polling takes over and says what is wrong, and the loop connects again.
      }
      setStreamOpen(false);
      await delay(
        Math.min(
          LIVE_TIMING.firstRetry * 2 ** failures,
          LIVE_TIMING.longestRetry,
        ),
        signal,
      );
      failures += 1;
    }
  }

  load();
  follow();

  return () => {
    abort.abort();
    clearTimeout(timer);
  };
}

/** Resolves after the delay or as soon as the signal is aborted. */
function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const timer = setTimeout(done, milliseconds);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}
