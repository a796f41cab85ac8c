import { useEffect, useMemo, useRef, useState } from 'react';

/** Number of items that have to move for the others to be in ascending order. */
function countMoved(ranks: readonly number[]): number {
  // tails[n] is the lowest end of an ascending subsequence of n + 1 ranks; the longest one stays where it is.
  const tails: number[] = [];
  for (const rank of ranks) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (tails[middle] < rank) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    tails[low] = rank;
  }
  return ranks.length - tails.length;
}

/** Items in the order that a reader has seen. */
interface HeldOrder<Item> {
  readonly items: readonly Item[];
  /** Number of items that are not where the sort order has them. */
  readonly moved: number;
}

/**
 * Keeps items in the order of their keys; new ones follow at the end, sorted among themselves.
 * @param keys - the order to keep; empty for the sort order
 */
export function holdOrder<Item>(
  items: readonly Item[],
  keys: readonly string[],
  keyOf: (item: Item) => string,
  sort: (items: readonly Item[]) => readonly Item[],
): HeldOrder<Item> {
  const added = new Map(items.map(item => [keyOf(item), item]));
  const kept: Item[] = [];
  for (const key of keys) {
    const item = added.get(key);
    if (item !== undefined) {
      kept.push(item);
      added.delete(key);
    }
  }
  // From the held order, of which most is still right, because that sorts in a fraction of the comparisons.
  const sorted = sort([...kept, ...added.values()]);
  if (kept.length === 0) {
    return { items: sorted, moved: 0 };
  }
  const ranks = new Map(sorted.map((item, rank) => [item, rank]));
  const isAdded = new Set(added.values());
  const shown = [...kept, ...sorted.filter(item => isAdded.has(item))];
  return {
    items: shown,
    moved: countMoved(shown.map(item => ranks.get(item) ?? 0)),
  };
}

/**
 * Sorts items once for each view, so that rows do not move under their reader: after an update, they keep their places.
 * @param view - filter and order; another object sorts anew
 * @param sort - the same function each time
 * @param keyOf - the same function each time
 */
export function useHeldOrder<Item, View>(
  items: readonly Item[],
  view: View,
  sort: (items: readonly Item[], view: View) => readonly Item[],
  keyOf: (item: Item) => string,
): HeldOrder<Item> & { readonly sortAgain: () => void } {
  const [turn, setTurn] = useState(0);
  const seen = useRef<{ view: View; turn: number; keys: readonly string[] }>();
  const held = useMemo(() => {
    const same = seen.current?.view === view && seen.current.turn === turn;
    return holdOrder(
      items,
      same ? (seen.current?.keys ?? []) : [],
      keyOf,
      all => sort(all, view),
    );
  }, [items, view, turn, sort, keyOf]);
  useEffect(() => {
    seen.current = { view, turn, keys: held.items.map(keyOf) };
  }, [held, view, turn, keyOf]);
  return { ...held, sortAgain: () => setTurn(turn + 1) };
}
