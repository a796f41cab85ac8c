import { useCallback, useRef, useState } from 'react';

/**
 * How a table fits into its place: with all columns, without those that matter least, or with each row as a card.
 * What counts is the room it is given, not the window: a portal's own navigation takes more or less of that.
 */
export type TableLayout = 'full' | 'compact' | 'cards';

/** In pixels. */
const CARDS_BELOW = 700;
const COMPACT_BELOW = 1_000;

function layoutOf(width: number): TableLayout {
  // Nothing is laid out yet, or never is, as on a server: all there is to show.
  if (width === 0 || width >= COMPACT_BELOW) {
    return 'full';
  }
  return width < CARDS_BELOW ? 'cards' : 'compact';
}

/** Follows the width of the element that `ref` is given to. */
export function useTableLayout(): {
  readonly layout: TableLayout;
  readonly ref: (element: HTMLElement | null) => void;
} {
  const [layout, setLayout] = useState<TableLayout>('full');
  const observer = useRef<ResizeObserver>();
  const ref = useCallback((element: HTMLElement | null) => {
    observer.current?.disconnect();
    if (!element) {
      return;
    }
    const measure = () => setLayout(layoutOf(element.clientWidth));
    // At once, so that the first picture is the right one already.
    measure();
    // Environments without layout, such as those of a portal's own unit tests, have nothing to observe.
    if ('ResizeObserver' in window) {
      observer.current = new ResizeObserver(measure);
      observer.current.observe(element);
    }
  }, []);
  return { layout, ref };
}
