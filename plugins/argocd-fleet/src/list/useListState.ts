import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import {
  LIST_COLUMNS,
  MODELS,
  SET_STATES,
  type ListFilter,
  type ListSort,
} from './listRows';

export const MOST_URGENT_FIRST: ListSort = {
  column: 'worst',
  descending: false,
};

/** Empty for the order that needs no saying. */
export function formatSort({ column, descending }: ListSort): string {
  return column === MOST_URGENT_FIRST.column && !descending
    ? ''
    : `${descending ? '-' : ''}${column}`;
}

/** Filter and order of the list, kept in the URL. */
export function useListState(): {
  readonly filter: ListFilter;
  readonly sort: ListSort;
  /** What is chosen with a click is a page to come back to; typing and sorting are not. */
  readonly write: (
    values: Readonly<Record<string, string>>,
    options?: { readonly push?: boolean },
  ) => void;
} {
  const [params, setParams] = useSearchParams();
  const write = useCallback(
    (values: Readonly<Record<string, string>>, { push = false } = {}) =>
      setParams(
        current => {
          const next = new URLSearchParams(current);
          for (const [name, value] of Object.entries(values)) {
            if (value) {
              next.set(name, value);
            } else {
              next.delete(name);
            }
          }
          return next;
        },
        { replace: !push, preventScrollReset: true },
      ),
    [setParams],
  );
  return useMemo(() => {
    const sort = params.get('sort') ?? '';
    const column = LIST_COLUMNS.find(id => id === sort.replace(/^-/, ''));
    return {
      filter: {
        text: params.get('q') ?? undefined,
        model: MODELS.find(model => model === params.get('model')),
        state: SET_STATES.find(state => state === params.get('state')),
      },
      sort: column
        ? { column, descending: sort.startsWith('-') }
        : MOST_URGENT_FIRST,
      write,
    };
  }, [params, write]);
}
