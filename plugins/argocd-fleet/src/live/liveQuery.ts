import { toError } from '@backstage/errors';
import type { ChangedEvent } from 'backstage-plugin-argocd-fleet-common';

/**
 * How the data is kept fresh: `live` by the event stream, `polling` by a request every few seconds because the stream
 * is down; `reconnecting` means that the last request failed, so the data is the last that was known.
 */
export type Connection = 'live' | 'polling' | 'reconnecting';

export interface LiveState<T> {
  /** The last successful response; kept while later requests fail. */
  readonly data?: T;
  /** Why the last request failed; undefined after the next success. */
  readonly error?: Error;
  /** When `data` was received, in epoch milliseconds. */
  readonly updatedAt?: number;
  readonly connection: Connection;
}

export interface LiveQuery<T> {
  load(signal: AbortSignal): Promise<T>;
  changes(signal: AbortSignal, onOpen: () => void): AsyncIterable<ChangedEvent>;
  /** Whether an event may change the result of `load`. */
  concerns(event: ChangedEvent, data: T | undefined): boolean;
  /** Whether a retry would fail again, as after a missing permission; such errors are retried less often. */
  isPermanent(error: Error): boolean;
}

/** All in milliseconds. */
export const LIVE_TIMING = {
  /** Delay after an event, so that a burst of events causes one request. */
  coalesce: 150,
  /**
   * The delay grows with the time that a slow backend or a large answer takes, to three times that time and up to this:
   * pages must not take all of a backend that serves many.
   */
  longestCoalesce: 5_000,
  poll: 5_000,
  /**
   * Interval while the stream is open, for changes without an event, such as a changed annotation, and for half-open
   * connections.
   */
  safetyPoll: 30_000,
  /** After this time without an answer, a request is aborted and counts as failed. */
  answer: 30_000,
  /** A stream that ends so long after the one before it was ended by the backend, which wants the next one. */
  shortestStream: 60_000,
  renewal: 100,
  firstRetry: 1_000,
  longestRetry: 30_000,
} as const;

/**
 * Loads immediately and again after each change: never two requests at a time, and one request for a burst of changes.
 * @returns a function that stops the query: it aborts requests, and `onState` is not called any more
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
  let changedWhileLoading = false;
  let lastLoadMs = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timerAt = 0;

  function publish(change: Partial<LiveState<T>>) {
    const next = { ...state, ...change };
    const working = streamOpen ? 'live' : 'polling';
    state = { ...next, connection: next.error ? 'reconnecting' : working };
    onState(state);
  }

  /** Schedules a load, unless an earlier one is scheduled. */
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
      changedWhileLoading = true;
    } else {
      loadIn(
        Math.min(
          Math.max(LIVE_TIMING.coalesce, 3 * lastLoadMs),
          LIVE_TIMING.longestCoalesce,
        ),
      );
    }
  }

  function pollDelay() {
    const permanent = state.error && query.isPermanent(state.error);
    return (streamOpen && !state.error) || permanent
      ? LIVE_TIMING.safetyPoll
      : LIVE_TIMING.poll;
  }

  async function load() {
    clearTimeout(timer);
    timer = undefined;
    loading = true;
    changedWhileLoading = false;
    const startedAt = Date.now();
    try {
      const data = await answerInTime(own => query.load(own), signal);
      if (!signal.aborted) {
        publish({ data, error: undefined, updatedAt: Date.now() });
      }
    } catch (error) {
      if (!signal.aborted) {
        publish({ error: toError(error) });
      }
    }
    loading = false;
    lastLoadMs = Date.now() - startedAt;
    if (signal.aborted) {
      return;
    }
    if (changedWhileLoading) {
      loadSoon();
    } else {
      loadIn(pollDelay());
    }
  }

  function setStreamOpen(open: boolean) {
    if (signal.aborted || (!open && !streamOpen)) {
      return;
    }
    if (open !== streamOpen) {
      streamOpen = open;
      publish({});
    }
    if (open) {
      // There were no events for changes while the stream was closed.
      loadSoon();
    } else {
      loadIn(LIVE_TIMING.poll);
    }
  }

  // Before the first load, which needs no second one if the stream is open already.
  followStream(query, signal, {
    onOpenChange: setStreamOpen,
    onEvent: event => {
      if (query.concerns(event, state.data)) {
        loadSoon();
      }
    },
  });
  load();

  return () => {
    abort.abort();
    clearTimeout(timer);
  };
}

/** The result of `load`; an error when that takes longer than {@link LIVE_TIMING}.answer. */
async function answerInTime<T>(
  load: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const { answer } = LIVE_TIMING;
  const request = new AbortController();
  const stop = () => request.abort(signal.reason);
  signal.addEventListener('abort', stop);
  const timer = setTimeout(
    () => request.abort(new Error(`No answer within ${answer / 1000} s`)),
    answer,
  );
  try {
    return await Promise.race([
      load(request.signal),
      new Promise<never>((_, reject) => {
        request.signal.addEventListener('abort', () =>
          reject(request.signal.reason),
        );
      }),
    ]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/**
 * Reads the event stream until the signal is aborted; reconnects with growing delays when the stream ends or fails. The
 * backend ends each stream after some minutes: the next one is opened at once, and the page stays live meanwhile.
 */
async function followStream(
  query: Pick<LiveQuery<unknown>, 'changes'>,
  signal: AbortSignal,
  handlers: {
    readonly onOpenChange: (open: boolean) => void;
    readonly onEvent: (event: ChangedEvent) => void;
  },
): Promise<void> {
  const { onOpenChange, onEvent } = handlers;
  let failures = 0;
  let isOpen = false;
  // Not since when it is open: the queries of several pages share a stream, which may be older than this one.
  let endedAt = -Infinity;
  const onOpen = () => {
    failures = 0;
    isOpen = true;
    onOpenChange(true);
  };
  while (!signal.aborted) {
    isOpen = false;
    let isRenewal = false;
    try {
      for await (const event of query.changes(signal, onOpen)) {
        onEvent(event);
      }
      isRenewal = isOpen && Date.now() - endedAt >= LIVE_TIMING.shortestStream;
      endedAt = Date.now();
    } catch {
      // Handled like the end of the stream: polling shows the error, and the loop reconnects.
    }
    if (isRenewal) {
      await delay(LIVE_TIMING.renewal, signal);
    } else {
      onOpenChange(false);
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
