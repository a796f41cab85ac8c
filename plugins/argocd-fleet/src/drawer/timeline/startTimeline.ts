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
  /** Why the latest could not be loaded. */
  readonly error?: Error;
  readonly loadingMore?: boolean;
  /** Why what was earlier could not be loaded. */
  readonly moreError?: Error;
}

/** A timeline that is being looked at. */
export interface RunningTimeline {
  /** Loads the latest page, after the one that is on its way, if there is one. */
  refresh(): void;
  /** Loads the page before what is shown. */
  more(): void;
  /** Aborts what is on its way; nothing is told any more. */
  stop(): void;
}

/** Starts with nothing: the first `refresh` loads. */
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
        publish({ error: asError(error) });
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
      publish({ loadingMore: false, moreError: asError(error) });
    }
  }

  return { refresh, more, stop: () => abort.abort() };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
