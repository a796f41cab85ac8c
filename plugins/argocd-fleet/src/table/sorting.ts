/** Order of a table's rows; the initial one is the worst first. */
export interface Sort<Column extends string> {
  readonly column: Column | 'worst';
  readonly descending: boolean;
}

export const WORST_FIRST = { column: 'worst', descending: false } as const;

/** Reads an order from the URL: a column, after `-` for descending; anything else is the initial order. */
export function parseSort<Column extends string>(
  text: string | undefined,
  columns: readonly Column[],
): Sort<Column> {
  const column = columns.find(id => id === text?.replace(/^-/, ''));
  return column
    ? { column, descending: Boolean(text?.startsWith('-')) }
    : WORST_FIRST;
}

/** Writes an order for the URL; undefined for the initial order. */
export function formatSort({
  column,
  descending,
}: Sort<string>): string | undefined {
  return column === WORST_FIRST.column && !descending
    ? undefined
    : `${descending ? '-' : ''}${column}`;
}

/** The order after a click on a column's heading: ascending, then descending, then the initial one again. */
export function nextSort<Column extends string>(
  current: Sort<Column>,
  column: Column,
): Sort<Column> {
  if (current.column !== column) {
    return { column, descending: false };
  }
  return current.descending ? WORST_FIRST : { column, descending: true };
}
