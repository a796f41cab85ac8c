import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type {
  ClusterApplication,
  Source,
} from 'backstage-plugin-argocd-fleet-common';
import { useCallback } from 'react';
import { argocdFleetTranslationRef } from '../messages';
import { rowKeyOf } from '../rowIdentity';
import { HeaderCell } from '../table/HeaderCell';
import { useTableStyles } from '../table/tableStyles';
import type { TableLayout } from '../table/useTableLayout';
import { useVirtualRows } from '../table/useVirtualRows';
import { ClusterRow } from './ClusterRow';
import type { RowSort, SortColumn } from './rows';

const COLUMNS = [
  { id: 'cluster', width: '20%' },
  { id: 'health', width: 132 },
  { id: 'sync', width: 132 },
  { id: 'phase', width: 112 },
  { id: 'revision', width: 104 },
  { id: 'since', width: 84 },
  { id: 'error', width: undefined },
] as const satisfies readonly { id: SortColumn; width?: number | string }[];

/** Table of Applications; its rows are already filtered and sorted. */
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
              <HeaderCell
                key={id}
                label={t(`table.${id}`)}
                column={id}
                sort={sort}
                onSort={onSort}
                width={cards ? undefined : width}
                className={id === 'phase' ? classes.optional : ''}
              />
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
