import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import TableSortLabel from '@material-ui/core/TableSortLabel';
import type {
  ClusterApplication,
  Source,
} from 'backstage-plugin-argocd-fleet-common';
import { useCallback } from 'react';
import { argocdFleetTranslationRef } from '../messages';
import { ClusterRow } from './ClusterRow';
import { rowKeyOf, type RowSort, type SortColumn } from './rows';
import { useTableStyles } from './tableStyles';
import type { TableLayout } from './useTableLayout';
import { useVirtualRows } from './useVirtualRows';
import { WORST_FIRST } from './useSectionState';

const COLUMNS = [
  { id: 'cluster', width: '20%' },
  { id: 'health', width: 132 },
  { id: 'sync', width: 132 },
  { id: 'phase', width: 112 },
  { id: 'revision', width: 104 },
  { id: 'since', width: 84 },
  { id: 'error', width: undefined },
] as const satisfies readonly { id: SortColumn; width?: number | string }[];

/** Ascending, then descending, then the worst first again. */
function nextSort(current: RowSort, column: SortColumn): RowSort {
  if (current.column !== column) {
    return { column, descending: false };
  }
  return current.descending ? WORST_FIRST : { column, descending: true };
}

function ariaSortOf(sort: RowSort, column: SortColumn) {
  if (sort.column !== column) {
    return 'none';
  }
  return sort.descending ? 'descending' : 'ascending';
}

/** The rows as they are to be shown, already filtered and sorted. */
export function ClusterTable(props: {
  readonly name: string;
  readonly rows: readonly ClusterApplication[];
  readonly source: Source | undefined;
  readonly showApplication: boolean;
  readonly layout: TableLayout;
  readonly sort: RowSort;
  readonly onSort: (sort: RowSort) => void;
  readonly openRow: string | undefined;
  readonly onOpen: (key: string) => void;
}) {
  const classes = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { rows, layout, sort, onSort, openRow } = props;
  const cards = layout === 'cards';
  const keyOf = useCallback((index: number) => rowKeyOf(rows[index]), [rows]);
  const visible = useVirtualRows(rows.length, cards, keyOf);
  const caption = t('table.caption', { name: props.name });

  return (
    <div
      ref={visible.scrollRef}
      className={visible.virtual ? classes.scrollBox : classes.scroll}
      {...(visible.virtual && {
        role: 'region',
        tabIndex: 0,
        'aria-label': caption,
      })}
    >
      <table
        className={`${classes.table} ${layout === 'full' ? '' : classes[layout]}`}
        aria-label={caption}
        aria-rowcount={rows.length + 1}
      >
        <thead>
          <tr aria-rowindex={1}>
            {COLUMNS.map(({ id, width }) => (
              <th
                key={id}
                scope="col"
                style={cards ? undefined : { width }}
                className={id === 'phase' ? classes.optional : undefined}
                aria-sort={ariaSortOf(sort, id)}
              >
                <TableSortLabel
                  className={classes.sort}
                  active={sort.column === id}
                  direction={
                    sort.column === id && sort.descending ? 'desc' : 'asc'
                  }
                  onClick={() => onSort(nextSort(sort, id))}
                >
                  {t(`table.${id}`)}
                </TableSortLabel>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {visible.before > 0 && (
            <tr className={classes.spacer} aria-hidden="true">
              <td style={{ height: visible.before }} colSpan={COLUMNS.length} />
            </tr>
          )}
          {visible.indices.map(index => {
            const row = rows[index];
            const key = rowKeyOf(row);
            return (
              <ClusterRow
                key={key}
                row={row}
                rowKey={key}
                index={index}
                measureRef={visible.measureRef}
                source={props.source}
                showApplication={props.showApplication}
                selected={key === openRow}
                onOpen={props.onOpen}
              />
            );
          })}
          {visible.after > 0 && (
            <tr className={classes.spacer} aria-hidden="true">
              <td style={{ height: visible.after }} colSpan={COLUMNS.length} />
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
