import type {
  Transition,
  TransitionPage,
} from 'backstage-plugin-argocd-fleet-common';

/** The loaded part of a timeline, the latest first and without gaps. */
export interface TimelinePages {
  readonly items: readonly Transition[];
  /** Cursor of the earlier page; undefined if there is none. */
  readonly next?: string;
}

/**
 * Puts the latest page before the known transitions. If transitions are missing between them, the known ones are
 * dropped: a timeline with a gap would be wrong.
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

/** Appends an earlier page, unless the known transitions no longer end where that page begins. */
export function withEarlier(
  known: TimelinePages,
  before: string,
  page: TransitionPage,
): TimelinePages {
  return known.next === before
    ? { items: [...known.items, ...page.items], next: page.next }
    : known;
}
