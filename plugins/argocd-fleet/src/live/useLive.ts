import { useEffect, useState } from 'react';
import { startLiveQuery, type LiveQuery, type LiveState } from './liveQuery';

const INITIAL_STATE = { connection: 'polling' } as const;

/** A hidden browser tab closes its stream after this time, because browsers open only six connections to one host. */
const CLOSE_HIDDEN_AFTER_MS = 30_000;

/**
 * Keeps the result of a query live while the component is mounted and the browser tab is visible.
 * @param query - memoised by the caller: another object is another query, without data
 */
export function useLive<T>(query: LiveQuery<T>): LiveState<T> {
  const [held, setHeld] = useState<{
    readonly query: LiveQuery<T>;
    readonly state: LiveState<T>;
  }>({ query, state: INITIAL_STATE });

  useEffect(() => {
    let latest: LiveState<T> = INITIAL_STATE;
    let stop: (() => void) | undefined;
    let hiddenTimer: ReturnType<typeof setTimeout> | undefined;

    function start() {
      stop = startLiveQuery(
        query,
        state => {
          latest = state;
          setHeld({ query, state });
        },
        latest,
      );
    }
    function pause() {
      stop?.();
      stop = undefined;
    }
    function onVisibility() {
      clearTimeout(hiddenTimer);
      if (document.visibilityState === 'hidden') {
        hiddenTimer = setTimeout(pause, CLOSE_HIDDEN_AFTER_MS);
      } else if (!stop) {
        start();
      }
    }

    start();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      clearTimeout(hiddenTimer);
      pause();
    };
  }, [query]);

  return held.query === query ? held.state : INITIAL_STATE;
}
