import { act, renderHook } from '@testing-library/react';
import fc from 'fast-check';
import { holdOrder, useHeldOrder } from './useHeldOrder';

interface Item {
  readonly name: string;
  readonly rank: number;
}

const nameOf = ({ name }: Item) => name;
const byRank = (items: readonly Item[]) =>
  [...items].sort((a, b) => a.rank - b.rank);
const items = (...names: string[]): Item[] =>
  names.map((name, rank) => ({ name, rank }));

describe('holdOrder', () => {
  it.each<[string, string[], string[], string[], number]>([
    ['sorts, without an order to hold', ['a', 'b'], [], ['a', 'b'], 0],
    ['keeps places', ['c', 'a', 'b'], ['a', 'b', 'c'], ['a', 'b', 'c'], 1],
    ['adds at the end', ['n', 'a', 'o'], ['a'], ['a', 'n', 'o'], 1],
    ['leaves out', ['a', 'c'], ['a', 'b', 'c'], ['a', 'c'], 0],
    ['counts all', ['c', 'b', 'a'], ['a', 'b', 'c'], ['a', 'b', 'c'], 2],
  ])('%s', (_what, sorted, keys, shown, moved) => {
    const held = holdOrder(items(...sorted), keys, nameOf, byRank);
    expect(held.items.map(nameOf)).toEqual(shown);
    expect(held.moved).toBe(moved);
  });

  it('shows each item once, held ones in their order, and counts none where the order is right', () => {
    const names = fc.uniqueArray(fc.constantFrom(...'abcdefgh'));
    fc.assert(
      fc.property(names, names, (sorted, keys) => {
        const held = holdOrder(items(...sorted), keys, nameOf, byRank);
        const shown = held.items.map(nameOf);
        expect([...shown].sort()).toEqual([...sorted].sort());
        expect(shown.filter(name => keys.includes(name))).toEqual(
          keys.filter(name => sorted.includes(name)),
        );
        expect(held.moved === 0).toBe(shown.join() === sorted.join());
      }),
    );
  });
});

describe('useHeldOrder', () => {
  const rendered = () =>
    renderHook(({ all, view }) => useHeldOrder(all, view, byRank, nameOf), {
      initialProps: { all: items('a', 'b', 'c'), view: {} },
    });

  it('holds the order through updates until it is asked to sort again', () => {
    const { result, rerender } = rendered();
    const view = {};
    rerender({ all: items('a', 'b', 'c'), view });
    rerender({ all: items('c', 'a', 'b'), view });
    expect(result.current.items.map(nameOf)).toEqual(['a', 'b', 'c']);
    expect(result.current.moved).toBe(1);
    act(() => result.current.sortAgain());
    expect(result.current.items.map(nameOf)).toEqual(['c', 'a', 'b']);
    expect(result.current.moved).toBe(0);
    rerender({ all: items('b', 'c', 'a'), view });
    expect(result.current.items.map(nameOf)).toEqual(['c', 'a', 'b']);
  });

  it('sorts anew for another filter or order', () => {
    const { result, rerender } = rendered();
    rerender({ all: items('c', 'a', 'b'), view: {} });
    expect(result.current.items.map(nameOf)).toEqual(['c', 'a', 'b']);
  });
});
