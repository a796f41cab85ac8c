import type {
  ClusterApplication,
  Finding,
  HealthStatus,
  SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';
import { deepFreeze } from '../__testUtils__/applications';
import { summarise, worst } from './summary';

function row(
  cluster: string,
  health: HealthStatus,
  sync: SyncStatus,
  parts: {
    stale?: boolean;
    error?: string;
    severity?: Finding['severity'];
  } = {},
): ClusterApplication {
  const { stale = false, error, severity = 'error' } = parts;
  const finding = { code: 'AFC-210', severity, title: '', message: '' };
  return deepFreeze({
    application: { namespace: 'gitops', name: cluster },
    cluster: { name: cluster, available: 'True', stale },
    deliveryModel: 'pull',
    health,
    sync,
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

describe('the summary', () => {
  it('counts a cluster by its worst Application', () => {
    expect(
      summarise([
        row('a', 'Healthy', 'OutOfSync'),
        row('a', 'Degraded', 'Synced', { stale: true }),
        row('b', 'Suspended', 'Synced'),
        row('b', 'Healthy', 'Synced'),
      ]),
    ).toEqual({
      clusters: 2,
      applications: 4,
      stale: 1,
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
    expect(worst(rows)?.cluster).toBe(expected);
  });
});
