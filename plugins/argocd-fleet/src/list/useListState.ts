import { useMemo } from 'react';
import { parseSort } from '../table/sorting';
import { useUrlState } from '../table/useUrlState';
import {
  LIST_COLUMNS,
  MODELS,
  SET_STATES,
  type ListFilter,
  type ListSort,
  type SetState,
} from './listRows';

/** Links from before states had these names. */
const FORMER_STATES: Readonly<Record<string, SetState>> = {
  failing: 'inTrouble',
  progressing: 'running',
};

/** Filter and order of the list, kept in the URL. */
export function useListState(): {
  /** The same object while the filter is the same. */
  readonly filter: ListFilter;
  /** The same object while the order is the same. */
  readonly sort: ListSort;
  readonly write: ReturnType<typeof useUrlState>['write'];
} {
  const { read, write } = useUrlState();
  const [text, model, state, order] = ['q', 'model', 'state', 'sort'].map(read);
  const filter = useMemo(
    () => ({
      text,
      model: MODELS.find(one => one === model),
      state:
        FORMER_STATES[state ?? ''] ?? SET_STATES.find(one => one === state),
    }),
    [text, model, state],
  );
  const sort = useMemo(() => parseSort(order, LIST_COLUMNS), [order]);
  return { filter, sort, write };
}
