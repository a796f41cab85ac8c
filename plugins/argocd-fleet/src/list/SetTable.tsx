import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import TableSortLabel from '@material-ui/core/TableSortLabel';
import type { ApplicationSet } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { useTableStyles } from '../section/tableStyles';
import type { ListColumn, ListSort } from './listRows';
import { SetRow } from './SetRow';

const useStyles = makeStyles(
  {
    list: { minWidth: 960, '& td': { padding: '8px 12px', height: 'auto' } },
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
}[] = [
  { title: 'list.name', sort: 'name', width: '23%' },
  { title: 'list.model', width: 72 },
  { title: 'list.clusters', sort: 'clusters', width: 116 },
  { title: 'bar.sync', width: '14%' },
  { title: 'bar.health', width: '18%' },
  { title: 'list.worst', sort: 'worst' },
  { title: 'list.lastChange', sort: 'lastChange', width: 112 },
];

/** The sets as they are to be shown, already filtered and sorted. */
export function SetTable(props: {
  readonly sets: readonly ApplicationSet[];
  readonly sort: ListSort;
  readonly onSort: (sort: ListSort) => void;
}) {
  const classes = useStyles();
  const tableClasses = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { sets, sort, onSort } = props;
  const direction = sort.descending ? 'descending' : 'ascending';
  return (
    <div className={tableClasses.scroll}>
      <table
        className={`${tableClasses.table} ${classes.list}`}
        aria-label={t('list.caption')}
      >
        <thead>
          <tr>
            {COLUMNS.map(({ title, sort: column, width }) => (
              <th
                key={title}
                scope="col"
                style={{ width }}
                aria-sort={sort.column === column ? direction : undefined}
              >
                {column ? (
                  <TableSortLabel
                    className={tableClasses.sort}
                    active={sort.column === column}
                    direction={
                      sort.column === column && sort.descending ? 'desc' : 'asc'
                    }
                    onClick={() =>
                      onSort({
                        column,
                        descending: sort.column === column && !sort.descending,
                      })
                    }
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
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
