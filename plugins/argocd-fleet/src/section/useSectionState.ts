import {
  HEALTH_STATUSES,
  SYNC_STATUSES,
} from 'backstage-plugin-argocd-fleet-common';
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import {
  SORT_COLUMNS,
  type RowFilter,
  type RowSort,
  type SortColumn,
} from './rows';

/** What a person chose in one section, kept in the URL so that it can be sent to a colleague. */
export interface SectionState {
  readonly filter: RowFilter;
  readonly sort: RowSort;
  /** Key of the row whose drawer is open. */
  readonly openRow?: string;
}

/** A state, or a cause, to show alone; empty for all. */
export type RowChoice = Omit<RowFilter, 'text'>;

const NO_CHOICE = {
  health: undefined,
  sync: undefined,
  stale: undefined,
  cause: undefined,
} as const satisfies Record<keyof RowChoice, undefined>;

export const WORST_FIRST: RowSort = { column: 'worst', descending: false };

function parseSort(text: string | null): RowSort {
  const column = (text ?? '').replace(/^-/, '') as SortColumn;
  return text && SORT_COLUMNS.includes(column)
    ? { column, descending: text.startsWith('-') }
    : WORST_FIRST;
}

function formatSort({ column, descending }: RowSort): string | undefined {
  return column === 'worst' ? undefined : `${descending ? '-' : ''}${column}`;
}

/** @param prefix - keeps several sections of one page apart in the URL; empty where there is one */
export function useSectionState(prefix: string): {
  readonly state: SectionState;
  /** Replaces what is shown by state or cause; one at a time, since two of them often exclude each other. */
  readonly choose: (choice: RowChoice) => void;
  readonly search: (text: string) => void;
  readonly clearFilter: () => void;
  readonly setSort: (sort: RowSort) => void;
  readonly setOpenRow: (key: string | undefined) => void;
} {
  const [params, setParams] = useSearchParams();

  const state = useMemo(() => {
    const read = (name: string) => params.get(`${prefix}${name}`);
    return {
      filter: {
        health: HEALTH_STATUSES.find(status => status === read('health')),
        sync: SYNC_STATUSES.find(status => status === read('sync')),
        stale: read('stale') === 'true' || undefined,
        cause: read('cause') ?? undefined,
        text: read('q') ?? undefined,
      },
      sort: parseSort(read('sort')),
      openRow: read('row') ?? undefined,
    };
  }, [params, prefix]);

  const write = useCallback(
    (
      values: Readonly<Record<string, string | boolean | undefined>>,
      { push = false } = {},
    ) =>
      setParams(
        current => {
          const next = new URLSearchParams(current);
          for (const [name, value] of Object.entries(values)) {
            if (value) {
              next.set(`${prefix}${name}`, String(value));
            } else {
              next.delete(`${prefix}${name}`);
            }
          }
          return next;
        },
        // What was chosen with a click is a page to come back to; each typed letter is not.
        { replace: !push, preventScrollReset: true },
      ),
    [setParams, prefix],
  );

  return useMemo(
    () => ({
      state,
      choose: choice => write({ ...NO_CHOICE, ...choice }, { push: true }),
      search: text => write({ q: text }),
      clearFilter: () => write({ ...NO_CHOICE, q: undefined }, { push: true }),
      setSort: sort => write({ sort: formatSort(sort) }),
      setOpenRow: key => write({ row: key }),
    }),
    [state, write],
  );
}
