import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type RefObject } from 'react';

/**
 * Up to this number, all rows are rendered: that costs less than virtualising, and the table needs no scroll box of its
 * own.
 */
const VIRTUAL_ABOVE = 100;

/** In pixels; rows are one line each. */
export const ROW_HEIGHT = 36;

/** In pixels, until a card has been rendered and measured. */
const CARD_HEIGHT = 64;

/** The rows to render, and the height of the rows above and below them. */
export interface VisibleRows {
  readonly scrollRef: RefObject<HTMLDivElement>;
  readonly virtual: boolean;
  readonly indices: readonly number[];
  /** Pixels. */
  readonly before: number;
  readonly after: number;
  /** For cards, which differ in height; each has its index in `data-index`. */
  readonly measureRef?: (element: HTMLElement | null) => void;
}

/** @param keyOf - key of a row, to keep its measured height after sorting; memoised by the caller */
export function useVirtualRows(
  count: number,
  cards: boolean,
  keyOf: (index: number) => string,
): VisibleRows {
  const scrollRef = useRef<HTMLDivElement>(null);
  const virtual = count > VIRTUAL_ABOVE;
  const virtualizer = useVirtualizer({
    count,
    enabled: virtual,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => (cards ? CARD_HEIGHT : ROW_HEIGHT),
    getItemKey: keyOf,
    overscan: 12,
  });
  if (!virtual) {
    return {
      scrollRef,
      virtual,
      indices: Array.from({ length: count }, (_, index) => index),
      before: 0,
      after: 0,
    };
  }
  const items = virtualizer.getVirtualItems();
  return {
    scrollRef,
    virtual,
    indices: items.map(({ index }) => index),
    before: items[0]?.start ?? 0,
    after: virtualizer.getTotalSize() - (items[items.length - 1]?.end ?? 0),
    ...(cards && { measureRef: virtualizer.measureElement }),
  };
}
