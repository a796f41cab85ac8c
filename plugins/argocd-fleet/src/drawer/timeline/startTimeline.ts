import { toError } from '@backstage/errors';
import type { TransitionPage } from 'backstage-plugin-argocd-fleet-common';
import { withEarlier, withLatest, type TimelinePages } from './timelinePages';

/** Loads a page; without `before`, the latest. */
export type LoadPage = (
  signal: AbortSignal,
  before?: string,
) => Promise<TransitionPage>;

export interface TimelineState {
  /** Undefined until the first answer; kept while later requests fail. */
  readonly pages?: TimelinePages;
  /** Why the latest page could not be loaded. */
  readonly error?: Error;
  readonly loadingMore?: boolean;
  /** Why the earlier page could not be loaded. */
  readonly moreError?: Error;
}

/** The timeline of an open drawer. */
export interface RunningTimeline {
  /** Loads the latest page, after a running request for it has ended. */
  refresh(): void;
  /** Loads the page before the ones that are loaded. */
  more(): void;
  /** Aborts the running requests; `onState` is not called any more. */
  stop(): void;
}

/** Creates a timeline that is empty until the first `refresh`. */
export function startTimeline(
  load: LoadPage,
  onState: (state: TimelineState) => void,
): RunningTimeline {
  const abort = new AbortController();
  const { signal } = abort;
  let state: TimelineState = {};
  let loading = false;
  let wanted = false;

  function publish(change: Partial<TimelineState>) {
    if (!signal.aborted) {
      state = { ...state, ...change };
      onState(state);
    }
  }

  async function refresh() {
    wanted = true;
    if (loading) {
      return;
    }
    loading = true;
    while (wanted && !signal.aborted) {
      wanted = false;
      try {
        const page = await load(signal);
        publish({ pages: withLatest(state.pages, page), error: undefined });
      } catch (error) {
        publish({ error: toError(error) });
      }
    }
    loading = false;
  }

  async function more() {
    const before = state.pages?.next;
    if (before === undefined || state.loadingMore) {
      return;
    }
    publish({ loadingMore: true, moreError: undefined });
    try {
      const page = await load(signal, before);
      publish({
        loadingMore: false,
        pages: state.pages && withEarlier(state.pages, before, page),
      });
    } catch (error) {
      publish({ loadingMore: false, moreError: toError(error) });
    }
  }

  return { refresh, more, stop: () => abort.abort() };
}
