import type {
  ApplicationRow,
  Finding,
} from 'backstage-plugin-argocd-fleet-common';
import {
  applicationRow,
  applicationSetRows,
  clusterApplication,
  COMMIT,
  FORBIDDEN,
  forbiddenApplication,
  minutesAgo,
} from '../__testUtils__/fixtures';
import {
  clustersBehind,
  filterRows,
  sortRows,
  type RowFilter,
  type SortColumn,
} from './rows';

const OLD_COMMIT = 'f00ba12d4e5f60718293a4b5c6d7e8f900112233';

const PROBE: Finding = {
  code: 'AFC-210',
  severity: 'error',
  title: 'A probe failed',
  message: 'guestbook-ui is not ready.',
  evidence: 'Readiness probe returned 503',
};

const { applications: ROWS, causes: CAUSES } = applicationSetRows([
  clusterApplication('edge-10', {
    since: minutesAgo(5),
    running: { revision: OLD_COMMIT },
  }),
  clusterApplication('edge-9', {
    health: 'Progressing',
    staleSince: minutesAgo(60),
    since: minutesAgo(50),
    running: undefined,
  }),
  {
    ...forbiddenApplication('edge-2'),
    since: minutesAgo(1),
    images: ['registry/shop:2'],
  },
  clusterApplication('edge-1', {
    health: 'Degraded',
    finding: PROBE,
    since: minutesAgo(20),
  }),
]);

const names = (rows: readonly { cluster: { name: string } }[]) =>
  rows.map(({ cluster }) => cluster.name);

describe('filterRows', () => {
  it.each<[string, RowFilter, string[]]>([
    ['nothing', {}, ['edge-10', 'edge-9', 'edge-2', 'edge-1']],
    ['trouble', { state: 'inTrouble' }, ['edge-9', 'edge-2', 'edge-1']],
    ['health', { health: 'Degraded' }, ['edge-1']],
    ['sync', { sync: 'OutOfSync' }, ['edge-2']],
    ['staleness', { stale: true }, ['edge-9']],
    ['cause', { cause: ROWS[2].problem?.cause }, ['edge-2']],
    ['the revision that runs', { running: OLD_COMMIT }, ['edge-10']],
    ['running another than the wanted revision', { behind: true }, ['edge-10']],
    ['words of the title', { text: 'FAILED  probe' }, ['edge-1']],
    ['a code', { text: 'afc-210' }, ['edge-1']],
    ['words of the evidence', { text: 'returned 503' }, ['edge-1']],
    ['a status', { text: 'outofsync' }, ['edge-2']],
    ['a running revision', { text: 'f00ba12' }, ['edge-10']],
    ['a wanted revision', { text: `${COMMIT} edge-10` }, ['edge-10']],
    ['a label', { text: 'eu-west edge-1' }, ['edge-10', 'edge-1']],
    ['a label with its key', { text: 'region=eu-west edge-9' }, ['edge-9']],
    ['a label with another key', { text: 'zone=eu-west' }, []],
    ['an image', { text: 'registry/shop:2' }, ['edge-2']],
    ['an Application', { text: 'edge-9-guestbook-app' }, ['edge-9']],
    ['several filters', { health: 'Degraded', text: 'edge-9' }, []],
  ])('filters by %s', (_what, filter, expected) => {
    expect(names(filterRows(ROWS, filter, CAUSES))).toEqual(expected);
  });
});

it('counts a cluster that is behind once, however many of its Applications are', () => {
  const [behind] = ROWS;
  expect(
    clustersBehind([
      ...ROWS,
      { ...behind, application: { namespace: 'argocd', name: 'other' } },
    ]),
  ).toBe(1);
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
  const worstFirst = (rows: readonly ApplicationRow[]) =>
    names(sortRows(rows, { column: 'worst', descending: false }));

  it('is what is in trouble, by severity, health and sync, then the rest in the same order', () => {
    expect(
      worstFirst(
        [
          clusterApplication('healthy'),
          clusterApplication('paused', {
            health: 'Suspended',
            finding: SUSPENDED,
          }),
          clusterApplication('silent', { staleSince: minutesAgo(60) }),
          clusterApplication('behind', { sync: 'OutOfSync', finding: WARNING }),
          // The workload is healthy, but nothing can be deployed.
          clusterApplication('no-repository', { sync: 'Unknown' }),
          forbiddenApplication('forbidden'),
          clusterApplication('broken', { health: 'Degraded', finding: PROBE }),
          clusterApplication('starting', { health: 'Progressing' }),
        ].map(applicationRow),
      ),
    ).toEqual([
      'broken',
      'forbidden',
      'no-repository',
      'silent',
      'behind',
      'paused',
      'starting',
      'healthy',
    ]);
  });
});

describe('sortRows', () => {
  it.each<[SortColumn, string[]]>([
    ['worst', ['edge-1', 'edge-2', 'edge-9', 'edge-10']],
    ['cluster', ['edge-1', 'edge-2', 'edge-9', 'edge-10']],
    ['since', ['edge-2', 'edge-10', 'edge-1', 'edge-9']],
    ['health', ['edge-1', 'edge-2', 'edge-9', 'edge-10']],
    ['sync', ['edge-2', 'edge-1', 'edge-9', 'edge-10']],
    // By what runs; where that is not known comes last.
    ['revision', ['edge-1', 'edge-2', 'edge-10', 'edge-9']],
    ['error', ['edge-1', 'edge-2', 'edge-9', 'edge-10']],
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

it('searches the code and title of the finding that the table shows', () => {
  expect(names(filterRows(ROWS, { text: FORBIDDEN.title }, []))).toEqual([
    'edge-2',
  ]);
});
