import type {
  Transition,
  TransitionPage,
} from 'backstage-plugin-argocd-fleet-common';

/** The part of a timeline that was loaded, the latest first and without gaps. */
export interface TimelinePages {
  readonly items: readonly Transition[];
  /** Cursor of what was earlier; undefined where that is all. */
  readonly next?: string;
}

/**
 * Puts the latest page before what is known. Where more happened in between than a page holds, what is known is let go: a timeline with a hole
 * would tell a wrong story.
 */
export function withLatest(
  known: TimelinePages | undefined,
  latest: TransitionPage,
): TimelinePages {
  const oldest = latest.items.at(-1)?.sequence;
  if (!known || oldest === undefined || latest.next === undefined) {
    return latest;
  }
  const earlier = known.items.filter(({ sequence }) => sequence < oldest);
  return earlier[0]?.sequence === oldest - 1
    ? { items: [...latest.items, ...earlier], next: known.next }
    : latest;
}

/** Puts an earlier page behind what is known, unless what is known has become something else than the page was asked for. */
export function withEarlier(
  known: TimelinePages,
  before: string,
  page: TransitionPage,
): TimelinePages {
  return known.next === before
    ? { items: [...known.items, ...page.items], next: page.next }
    : known;
}
