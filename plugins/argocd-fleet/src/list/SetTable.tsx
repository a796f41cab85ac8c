import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import TableSortLabel from '@material-ui/core/TableSortLabel';
import type { ApplicationSet } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { useTableStyles } from '../section/tableStyles';
import type { TableLayout } from '../section/useTableLayout';
import type { ListColumn, ListSort } from './listRows';
import { SetRow } from './SetRow';
import { MOST_URGENT_FIRST } from './useListState';

const useStyles = makeStyles(
  {
    list: { '& td': { padding: '8px 12px', height: 'auto' } },
    cards: {
      '& tbody tr': {
        display: 'grid',
        gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
        alignItems: 'start',
        padding: '10px 14px',
      },
      '& tbody td': { gridColumn: '1 / -1' },
      // The two bars, health and sync, stand side by side.
      '& tbody td:nth-of-type(4), & tbody td:nth-of-type(5)': {
        gridColumn: 'auto',
      },
      '& td': { padding: 0 },
    },
  },
  { name: 'ArgocdFleetSetTable' },
);

const COLUMNS: readonly {
  readonly title:
    | 'list.name'
    | 'list.model'
    | 'list.clusters'
    | 'bar.sync'
    | 'bar.health'
    | 'list.worst'
    | 'list.lastChange';
  readonly sort?: ListColumn;
  readonly width?: number | string;
  /** A narrow table does without it. */
  readonly optional?: boolean;
}[] = [
  { title: 'list.name', sort: 'name', width: '21%' },
  { title: 'list.model', width: 64, optional: true },
  { title: 'list.clusters', sort: 'clusters', width: 104 },
  { title: 'bar.sync', width: '18%' },
  { title: 'bar.health', width: '19%' },
  { title: 'list.worst', sort: 'worst' },
  {
    title: 'list.lastChange',
    sort: 'lastChange',
    width: 128,
    optional: true,
  },
];

/** As it is clicked first, turned round, then the most urgent first again. */
function nextSort(current: ListSort, column: ListColumn): ListSort {
  if (current.column !== column) {
    return { column, descending: false };
  }
  return current.descending ? MOST_URGENT_FIRST : { column, descending: true };
}

/** The sets as they are to be shown, already filtered and sorted. */
export function SetTable(props: {
  readonly sets: readonly ApplicationSet[];
  readonly layout: TableLayout;
  readonly sort: ListSort;
  readonly onSort: (sort: ListSort) => void;
}) {
  const classes = useStyles();
  const tableClasses = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { sets, layout, sort, onSort } = props;
  const cards = layout === 'cards';
  const direction = sort.descending ? 'descending' : 'ascending';
  return (
    <div className={tableClasses.scroll}>
      <table
        className={[
          tableClasses.table,
          classes.list,
          layout !== 'full' && tableClasses[layout],
          cards && classes.cards,
        ]
          .filter(Boolean)
          .join(' ')}
        aria-label={t('list.caption')}
      >
        <thead>
          <tr>
            {COLUMNS.map(({ title, sort: column, width, optional }) => (
              <th
                key={title}
                scope="col"
                style={cards ? undefined : { width }}
                className={[
                  optional && tableClasses.optional,
                  cards && !column && tableClasses.unseen,
                ]
                  .filter(Boolean)
                  .join(' ')}
                aria-sort={sort.column === column ? direction : undefined}
              >
                {column ? (
                  <TableSortLabel
                    className={tableClasses.sort}
                    active={sort.column === column}
                    direction={
                      sort.column === column && sort.descending ? 'desc' : 'asc'
                    }
                    onClick={() => onSort(nextSort(sort, column))}
                  >
                    {t(title)}
                  </TableSortLabel>
                ) : (
                  t(title)
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sets.map(set => (
            <SetRow
              key={`${set.ref.hub}/${set.ref.namespace}/${set.ref.name}`}
              set={set}
              card={cards}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
