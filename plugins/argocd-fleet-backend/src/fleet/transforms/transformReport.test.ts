import type { MulticlusterApplicationSetReport } from 'backstage-plugin-argocd-fleet-common';
import { hasContent, transformReport } from './transformReport';

const rows = [
  { cluster: 'a', healthStatus: 'Healthy', syncStatus: 'Synced' },
  { cluster: 'b', healthStatus: 'Missing', syncStatus: 'OutOfSync' },
];
const summary = {
  clusters: '2',
  synced: '1',
  notSynced: '1',
  healthy: '1',
  notHealthy: '1',
  inProgress: '0',
};

function report(statuses: object): MulticlusterApplicationSetReport {
  return {
    apiVersion: 'apps.open-cluster-management.io/v1alpha1',
    kind: 'MulticlusterApplicationSetReport',
    metadata: { namespace: 'gitops', name: 'guestbook' },
    statuses: statuses as MulticlusterApplicationSetReport['statuses'],
  };
}

/** The stored form of these rows. */
function kept(clusterConditions?: readonly object[]) {
  return transformReport(report({ clusterConditions, summary })).statuses
    ?.clusterConditions;
}

const has = (fingerprint: unknown, list: readonly object[]) =>
  hasContent(fingerprint, JSON.stringify(list));

describe('a report in the cache', () => {
  it('keeps its summary, and nothing long', () => {
    const many = Array.from({ length: 1_000 }, () => rows).flat();
    const { statuses, metadata } = transformReport(
      report({ clusterConditions: many, summary }),
    );
    expect(statuses?.summary).toEqual(summary);
    expect(metadata.name).toBe('guestbook');
    expect(JSON.stringify(statuses).length).toBeLessThan(200);
  });

  it('can be compared with rows, whatever the order of their fields', () => {
    const written = rows.map(row =>
      Object.fromEntries(Object.entries(row).reverse()),
    );
    expect(has(kept(written), rows)).toBe(true);
    expect(has(kept(rows), [{ ...rows[0], app: undefined }, rows[1]])).toBe(
      true,
    );
  });

  it.each([
    ['another value', [rows[0], { ...rows[1], healthStatus: 'Healthy' }]],
    ['a field more', [rows[0], { ...rows[1], app: 'x' }]],
    ['another order', rows.toReversed()],
    ['a row less', rows.slice(1)],
    ['none', []],
  ])('detects %s', (_, other) => {
    expect(has(kept(rows), other)).toBe(false);
    expect(has(kept(other), rows)).toBe(false);
  });

  it('treats an empty list and none as the same', () => {
    expect(has(kept([]), [])).toBe(true);
    expect(has(kept(undefined), [])).toBe(true);
  });

  it('has empty statuses where it has none', () => {
    const empty = { ...report({}), statuses: undefined };
    expect(
      transformReport(empty as unknown as MulticlusterApplicationSetReport)
        .statuses,
    ).toEqual({});
  });
});
