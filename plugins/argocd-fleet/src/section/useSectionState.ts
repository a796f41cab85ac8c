import {
  HEALTH_STATUSES,
  OVERALL_STATES,
  SYNC_STATUSES,
} from 'backstage-plugin-argocd-fleet-common';
import { useMemo } from 'react';
import { formatSort, parseSort } from '../table/sorting';
import { useUrlState } from '../table/useUrlState';
import {
  labelColumn,
  SORT_COLUMNS,
  type RowFilter,
  type RowSort,
} from './rows';

/** Filter, order and labels of one section, kept in the URL. */
export interface SectionState {
  /** The same object while the filter is the same. */
  readonly filter: RowFilter;
  /** The same object while the order is the same. */
  readonly sort: RowSort;
  /** Keys of the labels that are columns; the same array while they are the same. */
  readonly labels: readonly string[];
  /** Key of the label by which rows are grouped. */
  readonly groupBy: string | undefined;
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
  readonly setLabels: (keys: readonly string[]) => void;
  /** The empty string for no groups. */
  readonly setGroupBy: (key: string) => void;
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
  const labelsText = read('labels');
  const labels = useMemo(
    () => [...new Set(labelsText?.split(',').filter(Boolean))],
    [labelsText],
  );
  const sort = useMemo(
    () => parseSort(sortText, [...SORT_COLUMNS, ...labels.map(labelColumn)]),
    [sortText, labels],
  );
  const groupBy = read('group');
  return useMemo(
    () => ({
      state: { filter, sort, labels, groupBy },
      // The back button returns to what was clicked before, not to each typed letter.
      choose: choice => write({ ...NO_CHOICE, ...choice }, { push: true }),
      search: text => write({ q: text }),
      clearFilter: () => write({ ...NO_CHOICE, q: undefined }, { push: true }),
      setSort: next => write({ sort: formatSort(next) }),
      setLabels: keys => write({ labels: keys.join() }),
      setGroupBy: key => write({ group: key }),
    }),
    [filter, sort, labels, groupBy, write],
  );
}
