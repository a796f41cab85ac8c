import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useRef, type RefObject } from 'react';

/**
 * Up to this number, all rows are rendered: that costs less than virtualising, and the table needs no scroll box of its
 * own.
 */
const VIRTUAL_ABOVE = 100;

/** In pixels; rows are one line each. */
export const ROW_HEIGHT = 36;

/** In pixels, until a row that differs in height has been rendered and measured. */
const TALL_ROW_HEIGHT = 64;

/** The rows to render, and the height of those between them. */
export interface VisibleRows {
  readonly scrollRef: RefObject<HTMLDivElement>;
  readonly virtual: boolean;
  readonly rows: readonly {
    readonly index: number;
    /** Pixels of the rows above it that are not rendered. */
    readonly before: number;
  }[];
  /** Pixels of the rows below the last one. */
  readonly after: number;
  /** Where rows differ in height; each has its index in `data-index`. */
  readonly measureRef?: (element: HTMLElement | null) => void;
}

/**
 * @param tall - rows are cards or have several lines, so that they differ in height
 * @param keyOf - key of a row, to keep its measured height after sorting; memoised by the caller
 * @param always - index of a row that is rendered wherever the table is scrolled to, since it has the focus
 */
export function useVirtualRows(
  count: number,
  tall: boolean,
  keyOf: (index: number) => string,
  always: number,
): VisibleRows {
  const scrollRef = useRef<HTMLDivElement>(null);
  const virtual = count > VIRTUAL_ABOVE;
  const virtualizer = useVirtualizer({
    count,
    enabled: virtual,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => (tall ? TALL_ROW_HEIGHT : ROW_HEIGHT),
    getItemKey: keyOf,
    overscan: 12,
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) =>
        [...new Set([...defaultRangeExtractor(range), always])].sort(
          (a, b) => a - b,
        ),
      [always],
    ),
  });
  if (!virtual) {
    return {
      scrollRef,
      virtual,
      rows: Array.from({ length: count }, (_, index) => ({ index, before: 0 })),
      after: 0,
    };
  }
  const items = virtualizer.getVirtualItems();
  return {
    scrollRef,
    virtual,
    rows: items.map(({ index, start }, position) => ({
      index,
      before: start - (items[position - 1]?.end ?? 0),
    })),
    after: virtualizer.getTotalSize() - (items[items.length - 1]?.end ?? 0),
    ...(tall && { measureRef: virtualizer.measureElement }),
  };
}
