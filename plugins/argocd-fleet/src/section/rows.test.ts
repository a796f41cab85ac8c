import type { Finding } from 'backstage-plugin-argocd-fleet-common';
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
    ['several filters', { health: 'Degraded', text: 'edge-9' }, []],
  ])('filters by %s', (_what, filter, expected) => {
    expect(names(filterRows(ROWS, filter))).toEqual(expected);
  });
});

const WARNING: Finding = {
  code: 'AFC-214',
  severity: 'warning',
  title: 'Out of sync',
  message: 'It differs from Git.',
};
const SUSPENDED: Finding = {
  ...WARNING,
  code: 'AFC-216',
  severity: 'info',
  title: 'Suspended',
};

describe('the worst first', () => {
  const worstFirst = (rows: Parameters<typeof sortRows>[0]) =>
    names(sortRows(rows, { column: 'worst', descending: false }));

  it('is errors, then stale clusters and warnings, then suspended, then the rest', () => {
    expect(
      worstFirst([
        clusterApplication('healthy'),
        clusterApplication('paused', {
          health: 'Suspended',
          finding: SUSPENDED,
        }),
        clusterApplication('silent', { staleSince: minutesAgo(60) }),
        clusterApplication('behind', { sync: 'OutOfSync', finding: WARNING }),
        // The workload is healthy, but the sync failed.
        clusterApplication('no-repository', {
          sync: 'Unknown',
          error: 'no such host',
        }),
        forbiddenApplication('forbidden'),
        clusterApplication('broken', {
          health: 'Degraded',
          error: 'probe failed',
        }),
      ]),
    ).toEqual([
      'broken',
      'forbidden',
      'no-repository',
      'behind',
      'silent',
      'paused',
      'healthy',
    ]);
  });

  it('treats Degraded as an error even without a finding', () => {
    expect(
      worstFirst([
        clusterApplication('silent', { staleSince: minutesAgo(60) }),
        clusterApplication('broken', { health: 'Degraded' }),
      ]),
    ).toEqual(['broken', 'silent']);
  });
});

describe('sortRows', () => {
  it.each<[SortColumn, string[]]>([
    ['worst', ['edge-1', 'edge-2', 'edge-9', 'edge-10']],
    ['cluster', ['edge-1', 'edge-2', 'edge-9', 'edge-10']],
    ['since', ['edge-2', 'edge-10', 'edge-1', 'edge-9']],
    ['health', ['edge-1', 'edge-2', 'edge-9', 'edge-10']],
    ['sync', ['edge-2', 'edge-1', 'edge-9', 'edge-10']],
  ])('by %s', (column, expected) => {
    expect(names(sortRows(ROWS, { column, descending: false }))).toEqual(
      expected,
    );
  });

  it('reverses the order, and compares numbers in names as numbers', () => {
    expect(
      names(sortRows(ROWS, { column: 'cluster', descending: true })),
    ).toEqual(['edge-10', 'edge-9', 'edge-2', 'edge-1']);
  });

  it('does not mutate its input', () => {
    const before = [...ROWS];
    sortRows(ROWS, { column: 'cluster', descending: true });
    expect(ROWS).toEqual(before);
  });
});
