import {
  HEALTH_STATUSES,
  SYNC_STATUSES,
} from 'backstage-plugin-argocd-fleet-common';
import { useMemo } from 'react';
import { formatSort, parseSort } from '../table/sorting';
import { useUrlState } from '../table/useUrlState';
import { SORT_COLUMNS, type RowFilter, type RowSort } from './rows';

/** Filter, order and open row of one section, kept in the URL. */
export interface SectionState {
  readonly filter: RowFilter;
  readonly sort: RowSort;
  /** Key of the row whose drawer is open. */
  readonly openRow?: string;
}

/** The only state or cause to show; empty for all. */
export type RowChoice = Omit<RowFilter, 'text'>;

const NO_CHOICE = {
  health: undefined,
  sync: undefined,
  stale: undefined,
  cause: undefined,
} as const satisfies Record<keyof RowChoice, undefined>;

/** @param prefix - keeps several sections of one page apart in the URL; empty if there is only one */
export function useSectionState(prefix: string): {
  readonly state: SectionState;
  /** Replaces the state or cause that is shown; only one at a time, since two of them often exclude each other. */
  readonly choose: (choice: RowChoice) => void;
  readonly search: (text: string) => void;
  readonly clearFilter: () => void;
  readonly setSort: (sort: RowSort) => void;
  readonly setOpenRow: (key: string | undefined) => void;
} {
  const { read, write } = useUrlState(prefix);
  return useMemo(
    () => ({
      state: {
        filter: {
          health: HEALTH_STATUSES.find(status => status === read('health')),
          sync: SYNC_STATUSES.find(status => status === read('sync')),
          stale: read('stale') === 'true' || undefined,
          cause: read('cause'),
          text: read('q'),
        },
        sort: parseSort(read('sort'), SORT_COLUMNS),
        openRow: read('row'),
      },
      // The back button returns to what was clicked before, not to each typed letter.
      choose: choice => write({ ...NO_CHOICE, ...choice }, { push: true }),
      search: text => write({ q: text }),
      clearFilter: () => write({ ...NO_CHOICE, q: undefined }, { push: true }),
      setSort: sort => write({ sort: formatSort(sort) }),
      setOpenRow: key => write({ row: key }),
    }),
    [read, write],
  );
}
