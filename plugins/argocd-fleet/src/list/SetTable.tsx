import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type { ApplicationSet } from 'backstage-plugin-argocd-fleet-common';
import { useMemo } from 'react';
import { argocdFleetTranslationRef } from '../messages';
import { refKey } from '../objectRef';
import { HeaderCell } from '../table/HeaderCell';
import { useTableStyles } from '../table/tableStyles';
import { useRovingRows } from '../table/useRovingRows';
import type { TableLayout } from '../table/useTableLayout';
import type { ListColumn, ListSort } from './listRows';
import { SetRow } from './SetRow';
import type { ComponentsOf } from './useLinkedComponents';

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
      '& td': { padding: 0 },
    },
  },
  { name: 'ArgocdFleetSetTable' },
);

const COLUMNS: readonly {
  readonly title:
    | 'list.name'
    | 'list.clusters'
    | 'bar.state'
    | 'list.version'
    | 'list.worst'
    | 'list.lastChange';
  readonly sort?: ListColumn;
  readonly width?: number | string;
  /** Hidden in a narrow table. */
  readonly optional?: boolean;
}[] = [
  { title: 'list.name', sort: 'name', width: '18%' },
  { title: 'list.version', width: '19%' },
  { title: 'list.clusters', sort: 'clusters', width: 92 },
  { title: 'bar.state', width: '18%' },
  { title: 'list.worst', sort: 'worst' },
  {
    title: 'list.lastChange',
    sort: 'lastChange',
    width: 116,
    optional: true,
  },
];

/** Table of ApplicationSets, already filtered and sorted. */
export function SetTable(props: {
  readonly sets: readonly ApplicationSet[];
  readonly layout: TableLayout;
  readonly sort: ListSort;
  readonly onSort: (sort: ListSort) => void;
  readonly componentsOf: ComponentsOf;
}) {
  const classes = useStyles();
  const tableClasses = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { sets, layout, sort, onSort } = props;
  const cards = layout === 'cards';
  const keys = useMemo(() => sets.map(({ ref }) => refKey(ref)), [sets]);
  const { active, tableProps } = useRovingRows(keys, undefined);
  return (
    <div className={tableClasses.scroll}>
      <table
        {...tableProps}
        role="grid"
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
              <HeaderCell
                key={title}
                label={t(title)}
                column={column}
                sort={sort}
                onSort={onSort}
                width={cards ? undefined : width}
                className={[
                  optional && tableClasses.optional,
                  cards && !column && tableClasses.visuallyHidden,
                ]
                  .filter(Boolean)
                  .join(' ')}
                tabIndex={-1}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {sets.map((set, index) => (
            <SetRow
              key={keys[index]}
              set={set}
              index={index}
              active={index === active}
              card={cards}
              componentsOf={props.componentsOf}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
