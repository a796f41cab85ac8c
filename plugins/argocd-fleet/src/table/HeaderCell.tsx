import TableSortLabel from '@material-ui/core/TableSortLabel';
import { nextSort, type Sort } from './sorting';
import { useTableStyles } from './tableStyles';

/** Heading of a column; a button where the table can be sorted by the column. */
export function HeaderCell<Column extends string>(props: {
  readonly label: string;
  /** The full name, where the label is shorter. */
  readonly title?: string;
  /** Undefined where the table cannot be sorted by the column. */
  readonly column: Column | undefined;
  readonly sort: Sort<Column>;
  readonly onSort: (sort: Sort<Column>) => void;
  readonly width: number | string | undefined;
  readonly className?: string;
  /** -1 in a table that is one stop of the Tab key. */
  readonly tabIndex?: number;
}) {
  const classes = useTableStyles();
  const { label, title, column, sort, onSort, width, className, tabIndex } =
    props;
  const active = sort.column === column;
  const direction = active && sort.descending ? 'descending' : 'ascending';
  return (
    <th
      scope="col"
      title={title}
      style={{ width }}
      className={className}
      aria-sort={active ? direction : column && 'none'}
    >
      {column ? (
        <TableSortLabel
          className={classes.sort}
          tabIndex={tabIndex}
          active={active}
          direction={direction === 'descending' ? 'desc' : 'asc'}
          onClick={() => onSort(nextSort(sort, column))}
        >
          {label}
        </TableSortLabel>
      ) : (
        label
      )}
    </th>
  );
}
