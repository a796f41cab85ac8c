import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type RefObject } from 'react';

/** Fewer rows than this cost less than virtualising them, and the page scrolls as one. */
const VIRTUAL_FROM = 100;

/** In pixels; rows are one line each. */
export const ROW_HEIGHT = 36;

/** In pixels, until a card has been rendered and measured. */
const CARD_HEIGHT = 64;

/** Which rows to render, and how much room to leave above and below them. */
export interface VisibleRows {
  readonly scrollRef: RefObject<HTMLDivElement>;
  readonly virtual: boolean;
  readonly indices: readonly number[];
  /** Pixels. */
  readonly before: number;
  readonly after: number;
  /** For cards, which differ in height; each says its place in `data-index`. */
  readonly measureRef?: (element: HTMLElement | null) => void;
}

/** @param keyOf - identifies a row wherever sorting puts it, since cards differ in height; memoised by the caller */
export function useVirtualRows(
  count: number,
  cards: boolean,
  keyOf: (index: number) => string,
): VisibleRows {
  const scrollRef = useRef<HTMLDivElement>(null);
  const virtual = count > VIRTUAL_FROM;
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
