import {
  HEALTH_STATUSES,
  OVERALL_STATES,
  SYNC_STATUSES,
} from 'backstage-plugin-argocd-fleet-common';
import { useMemo } from 'react';
import { formatSort, parseSort } from '../table/sorting';
import { useUrlState } from '../table/useUrlState';
import { SORT_COLUMNS, type RowFilter, type RowSort } from './rows';

/** Filter and order of one section, kept in the URL. */
export interface SectionState {
  /** The same object while the filter is the same. */
  readonly filter: RowFilter;
  /** The same object while the order is the same. */
  readonly sort: RowSort;
}

/** The only state, version or cause to show; empty for all. */
export type RowChoice = Omit<RowFilter, 'text'>;

const NO_CHOICE = {
  state: undefined,
  health: undefined,
  sync: undefined,
  stale: undefined,
  cause: undefined,
  running: undefined,
  notKnown: undefined,
  behind: undefined,
} as const satisfies Record<keyof RowChoice, undefined>;

/** @param prefix - keeps several sections of one page apart in the URL; empty if there is only one */
export function useSectionState(prefix: string): {
  readonly state: SectionState;
  /** Replaces the state or cause that is shown; only one at a time, since two of them often exclude each other. */
  readonly choose: (choice: RowChoice) => void;
  readonly search: (text: string) => void;
  readonly clearFilter: () => void;
  readonly setSort: (sort: RowSort) => void;
} {
  const { read, write } = useUrlState(prefix);
  const isTrue = (name: string) => read(name) === 'true' || undefined;
  const filterText = JSON.stringify({
    state: OVERALL_STATES.find(state => state === read('state')),
    health: HEALTH_STATUSES.find(status => status === read('health')),
    sync: SYNC_STATUSES.find(status => status === read('sync')),
    stale: isTrue('stale'),
    cause: read('cause'),
    running: read('running'),
    notKnown: isTrue('notKnown'),
    behind: isTrue('behind'),
    text: read('q'),
  } satisfies RowFilter);
  const filter = useMemo<RowFilter>(() => JSON.parse(filterText), [filterText]);
  const sortText = read('sort');
  const sort = useMemo(() => parseSort(sortText, SORT_COLUMNS), [sortText]);
  return useMemo(
    () => ({
      state: { filter, sort },
      // The back button returns to what was clicked before, not to each typed letter.
      choose: choice => write({ ...NO_CHOICE, ...choice }, { push: true }),
      search: text => write({ q: text }),
      clearFilter: () => write({ ...NO_CHOICE, q: undefined }, { push: true }),
      setSort: next => write({ sort: formatSort(next) }),
    }),
    [filter, sort, write],
  );
}
