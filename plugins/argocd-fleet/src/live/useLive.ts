import { useEffect, useState } from 'react';
import { startLiveQuery, type LiveQuery, type LiveState } from './liveQuery';

const NOTHING_YET = { connection: 'polling' } as const;

/** A hidden browser tab gives its connection back after this many milliseconds: browsers open only six to one host. */
const HIDDEN_PATIENCE = 30_000;

/**
 * Keeps the answer of a query live while the component is mounted and the browser tab is looked at.
 * @param query - memoised by the caller: another object is another query, and starts from nothing
 */
export function useLive<T>(query: LiveQuery<T>): LiveState<T> {
  const [held, setHeld] = useState<{
    readonly query: LiveQuery<T>;
    readonly state: LiveState<T>;
  }>({ query, state: NOTHING_YET });

  useEffect(() => {
    let latest: LiveState<T> = NOTHING_YET;
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
        hiddenTimer = setTimeout(pause, HIDDEN_PATIENCE);
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

  return held.query === query ? held.state : NOTHING_YET;
}
