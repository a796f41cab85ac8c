import { useMemo } from 'react';
import { parseSort } from '../table/sorting';
import { useUrlState } from '../table/useUrlState';
import {
  LIST_COLUMNS,
  MODELS,
  SET_STATES,
  type ListFilter,
  type ListSort,
} from './listRows';

/** Filter and order of the list, kept in the URL. */
export function useListState(): {
  readonly filter: ListFilter;
  readonly sort: ListSort;
  readonly write: ReturnType<typeof useUrlState>['write'];
} {
  const { read, write } = useUrlState();
  return useMemo(
    () => ({
      filter: {
        text: read('q'),
        model: MODELS.find(model => model === read('model')),
        state: SET_STATES.find(state => state === read('state')),
      },
      sort: parseSort(read('sort'), LIST_COLUMNS),
      write,
    }),
    [read, write],
  );
}
