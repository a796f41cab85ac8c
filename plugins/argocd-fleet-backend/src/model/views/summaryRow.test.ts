import type {
  ClusterApplication,
  Finding,
  HealthStatus,
  OverallState,
  StatusSummary,
  SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';
import { application, deepFreeze } from '../__testUtils__/applications';
import {
  lastChange,
  mostUrgent,
  summarise,
  createSharing,
  summaryRowOf,
  type SummaryRow,
} from './summaryRow';
import { versionsOf } from './versions';

function row(
  cluster: string,
  health: HealthStatus,
  sync: SyncStatus,
  parts: {
    stale?: boolean;
    error?: string;
    severity?: Finding['severity'];
    state?: OverallState;
  } = {},
): ClusterApplication {
  const { stale = false, error, severity = 'error' } = parts;
  const finding = { code: 'AFC-210', severity, title: '', message: '' };
  const stateOf = () => {
    if (stale || sync === 'Unknown' || (error && severity === 'error')) {
      return 'inTrouble';
    }
    return health === 'Healthy' && sync === 'Synced' ? 'ok' : 'running';
  };
  return deepFreeze({
    application: { namespace: 'gitops', name: cluster },
    cluster: { name: cluster, available: 'True', stale },
    deliveryModel: 'pull',
    health,
    sync,
    state: parts.state ?? stateOf(),
    wanted: ['main'],
    conditions: [],
    resources: [],
    ...(error && { error }),
    steps: [
      {
        id: 'healthy',
        title: 'Healthy',
        state: 'failed',
        ...(error && { finding }),
      },
    ],
  });
}

/** The rows as the list counts them, by name. */
function summaryRows(
  rows: readonly ClusterApplication[],
): Map<string, SummaryRow> {
  const share = createSharing();
  return new Map(
    rows.map((each, index) => [
      `${each.cluster.name}-${index}`,
      summaryRowOf({ application: application() }, each, share),
    ]),
  );
}

const NONE = { ok: 0, running: 0, paused: 0, blocked: 0, inTrouble: 0 };

describe('the summary', () => {
  it('counts a cluster by its worst Application', () => {
    expect(
      summarise(
        summaryRows([
          row('a', 'Healthy', 'OutOfSync'),
          row('a', 'Degraded', 'Synced', { stale: true }),
          row('b', 'Suspended', 'Synced'),
          row('b', 'Healthy', 'Synced'),
        ]).values(),
      ),
    ).toEqual({
      clusters: 2,
      applications: 4,
      state: { ...NONE, running: 1, inTrouble: 1 },
      stale: 1,
      staleHealth: { Degraded: 1 },
      health: {
        Healthy: 0,
        Progressing: 0,
        Degraded: 1,
        Suspended: 1,
        Missing: 0,
        Unknown: 0,
      },
      sync: { Synced: 1, OutOfSync: 1, Unknown: 0 },
    });
  });

  it('counts each Application without a target for itself, and not as a cluster', () => {
    const rows = summaryRows([
      row('', 'Unknown', 'Unknown'),
      row('', 'Unknown', 'Unknown'),
      row('a', 'Healthy', 'Synced'),
    ]);
    expect(summarise(rows.values())).toMatchObject({
      clusters: 1,
      withoutCluster: 2,
      applications: 3,
      state: { ...NONE, ok: 1, inTrouble: 2 },
    });
    expect(versionsOf(rows.values()).notKnown).toBe(1);
  });

  it.each<[string, Partial<StatusSummary['state']>, ClusterApplication[]]>([
    [
      'is in trouble where sync is unknown, however healthy it is',
      { ok: 1, inTrouble: 2 },
      [
        row('a', 'Healthy', 'Unknown'),
        row('b', 'Healthy', 'Unknown'),
        row('c', 'Healthy', 'Synced'),
      ],
    ],
    [
      'is in trouble if one of its Applications is',
      { inTrouble: 1 },
      [row('a', 'Healthy', 'Synced'), row('a', 'Healthy', 'Unknown')],
    ],
    [
      'is running where it goes on by itself',
      { running: 2 },
      [row('a', 'Healthy', 'OutOfSync'), row('b', 'Progressing', 'Synced')],
    ],
    [
      'waits for a person rather than that it runs, and is blocked rather than that it waits',
      { paused: 1, blocked: 1 },
      [
        row('a', 'Progressing', 'Synced'),
        row('a', 'Suspended', 'Synced', { state: 'paused' }),
        row('b', 'Suspended', 'Synced', { state: 'paused' }),
        row('b', 'Healthy', 'OutOfSync', { state: 'blocked' }),
      ],
    ],
  ])('says of a cluster that it %s', (_, expected, rows) => {
    expect(summarise(summaryRows(rows).values()).state).toEqual({
      ...NONE,
      ...expected,
    });
  });

  it('of no rows is all zero', () => {
    expect(summarise([])).toMatchObject({ clusters: 0, applications: 0 });
  });
});

describe('the most urgent problem', () => {
  const warning = row('a', 'Degraded', 'OutOfSync', {
    error: 'out of sync',
    severity: 'warning',
  });
  const silent = row('b', 'Degraded', 'Synced', { error: 'b', stale: true });
  const missing = row('c', 'Missing', 'OutOfSync', { error: 'c' });
  const degraded = row('d', 'Degraded', 'Synced', { error: 'd' });

  it.each([
    ['nothing', undefined, [row('a', 'Healthy', 'Synced')]],
    ['an error before a warning', 'b', [warning, silent]],
    ['a cluster that reports before a silent one', 'c', [silent, missing]],
    ['the worst health', 'd', [missing, degraded]],
    [
      'the first of equals',
      'd',
      [degraded, row('e', 'Degraded', 'Synced', { error: 'e' })],
    ],
  ])('is %s', (_, expected, rows) => {
    const known = summaryRows(rows);
    const found = mostUrgent(known);
    expect(found && known.get(found)?.cluster).toBe(expected);
    // The order in which rows were made does not count.
    expect(mostUrgent(new Map([...known].reverse()))).toBe(found);
  });
});

describe('the last change', () => {
  const changed = (since: string | undefined) => ({
    ...row('a', 'Healthy', 'Synced'),
    since,
  });

  it.each([
    ['none', undefined, [undefined]],
    [
      'the latest',
      '2026-11-21T09:00:00Z',
      ['2026-11-21T09:00:00Z', '2026-11-20T23:00:00Z'],
    ],
    [
      'none of a text that is no time',
      '2026-11-21T09:00:00Z',
      ['soon', '2026-11-21T09:00:00Z'],
    ],
  ])('is %s', (_, expected, times) => {
    expect(lastChange(summaryRows(times.map(changed)).values())).toBe(expected);
  });
});

it('shares the state of rows that are in the same one', () => {
  const [a, b, c] = summaryRows([
    row('a', 'Healthy', 'Synced'),
    row('b', 'Healthy', 'Synced'),
    row('c', 'Degraded', 'Synced'),
  ]).values();
  expect(a.state).toBe(b.state);
  expect(c.state).not.toBe(a.state);
});
