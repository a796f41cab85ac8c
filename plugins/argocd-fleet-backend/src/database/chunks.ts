/**
 * Rows of one statement: SQLite takes a limited number of values, and nothing else happens in the process while it
 * runs.
 */
const ROWS = 100;

/** The items in parts that one statement may have. */
export function* chunks<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += ROWS) {
    yield items.slice(start, start + ROWS);
  }
}
