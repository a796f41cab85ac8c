import {
  clusterApplication,
  forbiddenApplication,
  minutesAgo,
} from '../__testUtils__/fixtures';
import { causeIdOf } from './causes';
import { filterRows, sortRows, type RowFilter, type SortColumn } from './rows';

const ROWS = [
  clusterApplication('edge-10', { since: minutesAgo(5) }),
  clusterApplication('edge-9', {
    health: 'Progressing',
    staleSince: minutesAgo(60),
    since: minutesAgo(50),
  }),
  { ...forbiddenApplication('edge-2'), since: minutesAgo(1) },
  clusterApplication('edge-1', {
    health: 'Degraded',
    error: 'probe failed',
    since: minutesAgo(20),
  }),
];

const names = (rows: readonly { cluster: { name: string } }[]) =>
  rows.map(({ cluster }) => cluster.name);

describe('filterRows', () => {
  it.each<[string, RowFilter, string[]]>([
    ['nothing', {}, ['edge-10', 'edge-9', 'edge-2', 'edge-1']],
    ['health', { health: 'Degraded' }, ['edge-1']],
    ['sync', { sync: 'OutOfSync' }, ['edge-2']],
    ['staleness', { stale: true }, ['edge-9']],
    ['cause', { cause: causeIdOf(ROWS[2]) }, ['edge-2']],
    ['words of the error', { text: 'FAILED  probe' }, ['edge-1']],
    ['a label', { text: 'eu-west edge-1' }, ['edge-10', 'edge-1']],
    ['all at once', { health: 'Degraded', text: 'edge-9' }, []],
  ])('narrows by %s', (_what, filter, expected) => {
    expect(names(filterRows(ROWS, filter))).toEqual(expected);
  });
});

describe('sortRows', () => {
  it.each<[SortColumn, string[]]>([
    ['worst', ['edge-1', 'edge-2', 'edge-9', 'edge-10']],
    ['cluster', ['edge-1', 'edge-2', 'edge-9', 'edge-10']],
    ['since', ['edge-2', 'edge-10', 'edge-1', 'edge-9']],
    ['health', ['edge-10', 'edge-9', 'edge-2', 'edge-1']],
  ])('by %s', (column, expected) => {
    expect(names(sortRows(ROWS, { column, descending: false }))).toEqual(
      expected,
    );
  });

  it('turns round, and puts numbers in names in their order', () => {
    expect(
      names(sortRows(ROWS, { column: 'cluster', descending: true })),
    ).toEqual(['edge-10', 'edge-9', 'edge-2', 'edge-1']);
  });

  it('leaves what it was given as it was', () => {
    const before = [...ROWS];
    sortRows(ROWS, { column: 'cluster', descending: true });
    expect(ROWS).toEqual(before);
  });
});
