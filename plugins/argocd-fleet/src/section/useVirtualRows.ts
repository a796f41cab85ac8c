import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type RefObject } from 'react';

/** Fewer rows than this cost less than virtualising them, and the page scrolls as one. */
const VIRTUAL_FROM = 100;

/** In pixels; rows are one line each. */
export const ROW_HEIGHT = 36;

/** Which rows to render, and how much room to leave above and below them. */
export interface VisibleRows {
  readonly scrollRef: RefObject<HTMLDivElement>;
  readonly virtual: boolean;
  readonly indices: readonly number[];
  /** Pixels. */
  readonly before: number;
  readonly after: number;
}

export function useVirtualRows(count: number): VisibleRows {
  const scrollRef = useRef<HTMLDivElement>(null);
  const virtual = count > VIRTUAL_FROM;
  const virtualizer = useVirtualizer({
    count,
    enabled: virtual,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => ROW_HEIGHT,
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
  };
}
