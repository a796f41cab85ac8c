import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type {
  ApplicationRow,
  RunningRevision,
  Source,
} from 'backstage-plugin-argocd-fleet-common';
import { Fragment, useCallback, useMemo } from 'react';
import { argocdFleetTranslationRef } from '../messages';
import { rowKeyOf } from '../rowIdentity';
import { HeaderCell } from '../table/HeaderCell';
import { useTableStyles } from '../table/tableStyles';
import type { TableLayout } from '../table/useTableLayout';
import { useRovingRows } from '../table/useRovingRows';
import { useVirtualRows } from '../table/useVirtualRows';
import { ClusterRow } from './ClusterRow';
import type { RowSort, SortColumn } from './rows';

const COLUMNS = [
  { id: 'cluster', width: '16%' },
  { id: 'state', width: 182 },
  { id: 'health', width: 130 },
  { id: 'sync', width: 126 },
  { id: 'revision', width: 134 },
  { id: 'since', width: 70 },
  { id: 'error', width: undefined },
] as const satisfies readonly { id: SortColumn; width?: number | string }[];

/** The height of rows that are not rendered. */
function Spacer(props: { readonly height: number }) {
  const classes = useTableStyles();
  return props.height > 0 ? (
    <tr className={classes.spacer} aria-hidden="true">
      <td style={{ height: props.height }} colSpan={COLUMNS.length} />
    </tr>
  ) : null;
}

/** Table of Applications; its rows are already filtered and sorted. */
export function ClusterTable(props: {
  readonly name: string;
  readonly rows: readonly ApplicationRow[];
  readonly sources: readonly Source[];
  readonly revisions: readonly RunningRevision[];
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
  const keys = useMemo(() => rows.map(rowKeyOf), [rows]);
  const { active, tableProps } = useRovingRows(keys, openRow);
  const keyOf = useCallback((index: number) => keys[index], [keys]);
  const visible = useVirtualRows(
    rows.length,
    cards || props.showApplication,
    keyOf,
    active,
  );

  return (
    <div
      ref={visible.scrollRef}
      className={visible.virtual ? classes.scrollBox : classes.scroll}
    >
      <table
        {...tableProps}
        role="grid"
        className={`${classes.table} ${layout === 'full' ? '' : classes[layout]}`}
        aria-label={t('table.caption', { name: props.name })}
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
                tabIndex={-1}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {visible.rows.map(({ index, before }) => {
            const key = keys[index];
            return (
              <Fragment key={key}>
                <Spacer height={before} />
                <ClusterRow
                  row={rows[index]}
                  rowKey={key}
                  index={index}
                  measureRef={visible.measureRef}
                  sources={props.sources}
                  revisions={props.revisions}
                  showApplication={props.showApplication}
                  selected={key === openRow}
                  active={index === active}
                  onOpen={props.onOpen}
                />
              </Fragment>
            );
          })}
          <Spacer height={visible.after} />
        </tbody>
      </table>
    </div>
  );
}
