import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type {
  RunningRevision,
  Source,
} from 'backstage-plugin-argocd-fleet-common';
import { Fragment, useCallback, useMemo } from 'react';
import { argocdFleetTranslationRef } from '../messages';
import { HeaderCell } from '../table/HeaderCell';
import { useTableStyles } from '../table/tableStyles';
import type { TableLayout } from '../table/useTableLayout';
import { useRovingRows } from '../table/useRovingRows';
import { useVirtualRows } from '../table/useVirtualRows';
import { ClusterRow } from './ClusterRow';
import { GroupRow } from './GroupRow';
import type { TableLine } from './rowLabels';
import { labelColumn, type RowSort, type SortColumn } from './rows';

const CLUSTER_WIDTH = '16%';

const STATUS_COLUMNS = [
  { id: 'state', width: 182 },
  { id: 'health', width: 130 },
  { id: 'sync', width: 126 },
  { id: 'revision', width: 134 },
  { id: 'since', width: 70 },
  { id: 'error', width: undefined },
] as const satisfies readonly { id: SortColumn; width?: number }[];

/** In pixels. */
const LABEL_WIDTH = 120;
/** In pixels: with columns of labels, the table scrolls sooner than that its errors cannot be read. */
const WIDTH_WITHOUT_LABELS = 1_000;

/** The height of rows that are not rendered. */
function Spacer(props: { readonly height: number; readonly columns: number }) {
  const classes = useTableStyles();
  return props.height > 0 ? (
    <tr className={classes.spacer} aria-hidden="true">
      <td style={{ height: props.height }} colSpan={props.columns} />
    </tr>
  ) : null;
}

/** Table of Applications; its rows are already filtered, sorted and grouped. */
export function ClusterTable(props: {
  readonly name: string;
  readonly lines: readonly TableLine[];
  readonly sources: readonly Source[];
  readonly revisions: readonly RunningRevision[];
  readonly showApplication: boolean;
  /** Keys of the labels that are columns. */
  readonly labels: readonly string[];
  readonly layout: TableLayout;
  readonly sort: RowSort;
  readonly onSort: (sort: RowSort) => void;
  readonly openRow: string | undefined;
  readonly onOpen: (key: string) => void;
  /** Folds the group with this heading, or opens it. */
  readonly onToggle: (id: string) => void;
}) {
  const classes = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { lines, labels, layout, sort, onSort, openRow } = props;
  const cards = layout === 'cards';
  const keys = useMemo(() => lines.map(({ id }) => id), [lines]);
  const { active, tableProps } = useRovingRows(keys, openRow);
  const keyOf = useCallback((index: number) => keys[index], [keys]);
  const visible = useVirtualRows(
    lines.length,
    cards || props.showApplication,
    keyOf,
    active,
  );

  const headings: readonly {
    readonly id: SortColumn;
    readonly label: string;
    readonly title?: string;
    readonly width: number | string | undefined;
  }[] = [
    { id: 'cluster', label: t('table.cluster'), width: CLUSTER_WIDTH },
    ...labels.map(key => ({
      id: labelColumn(key),
      // A prefix would fill the column.
      label: key.slice(key.lastIndexOf('/') + 1),
      title: key,
      width: LABEL_WIDTH,
    })),
    ...STATUS_COLUMNS.map(({ id, width }) => ({
      id,
      label: t(`table.${id}`),
      width,
    })),
  ];

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
        aria-rowcount={lines.length + 1}
        style={
          cards || labels.length === 0
            ? undefined
            : { minWidth: WIDTH_WITHOUT_LABELS + labels.length * LABEL_WIDTH }
        }
      >
        <thead>
          <tr aria-rowindex={1}>
            {headings.map(({ id, label, title, width }) => (
              <HeaderCell
                key={id}
                label={label}
                title={title}
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
            const line = lines[index];
            const common = {
              index,
              measureRef: visible.measureRef,
              active: index === active,
            };
            return (
              <Fragment key={line.id}>
                <Spacer height={before} columns={headings.length} />
                {'group' in line ? (
                  <GroupRow
                    {...common}
                    id={line.id}
                    group={line.group}
                    columns={headings.length}
                    onToggle={props.onToggle}
                  />
                ) : (
                  <ClusterRow
                    {...common}
                    row={line.row}
                    rowKey={line.id}
                    sources={props.sources}
                    revisions={props.revisions}
                    showApplication={props.showApplication}
                    labels={labels}
                    selected={line.id === openRow}
                    onOpen={props.onOpen}
                  />
                )}
              </Fragment>
            );
          })}
          <Spacer height={visible.after} columns={headings.length} />
        </tbody>
      </table>
    </div>
  );
}
