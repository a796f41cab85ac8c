import { useCallback, useRef, useState } from 'react';

/**
 * Layout of a table: with all columns, without the optional ones, or with each row as a card. It depends on the width
 * of the table, not of the window, because the portal's sidebar takes a part of that.
 */
export type TableLayout = 'full' | 'compact' | 'cards';

/** In pixels. */
const CARDS_BELOW = 700;
const COMPACT_BELOW = 1_000;

function layoutOf(width: number): TableLayout {
  // A width of 0 means that nothing is laid out yet, or never, as in tests: show everything.
  if (width === 0 || width >= COMPACT_BELOW) {
    return 'full';
  }
  return width < CARDS_BELOW ? 'cards' : 'compact';
}

/** Observes the width of the element that gets `ref`. */
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
    // Immediately, so that the first paint has the right layout.
    measure();
    // Environments without layout, such as unit tests, have no ResizeObserver.
    if ('ResizeObserver' in window) {
      observer.current = new ResizeObserver(measure);
      observer.current.observe(element);
    }
  }, []);
  return { layout, ref };
}
