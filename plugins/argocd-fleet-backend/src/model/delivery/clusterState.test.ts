import { deepFreeze, managedCluster } from '../__testUtils__/applications';
import { clusterState, isLocalCluster } from './clusterState';

describe('a cluster', () => {
  it.each([
    ['True', 'True', false],
    ['False', 'False', true],
    ['Unknown', 'Unknown', true],
    ['nonsense', 'Unknown', true],
  ])(
    'whose Available condition is %s is available %s, stale %s',
    (status, available, stale) => {
      const state = clusterState(
        'cluster1',
        managedCluster('cluster1', { available: status }),
      );
      expect(state).toEqual({
        name: 'cluster1',
        available,
        stale,
        ...(stale && { staleSince: '2026-11-21T09:00:00Z' }),
      });
    },
  );

  it('that never reported is stale, without `staleSince`', () => {
    const { status, ...unreported } = managedCluster('cluster1');
    expect(status).toBeDefined();
    expect(clusterState('cluster1', deepFreeze(unreported))).toEqual({
      name: 'cluster1',
      available: 'Unknown',
      stale: true,
    });
  });

  it('without ManagedCluster is never stale, because no agent reports about it', () => {
    expect(clusterState('https://a', undefined)).toEqual({
      name: 'https://a',
      available: 'Unknown',
      stale: false,
    });
  });

  it('is the hub itself if its local-cluster label is true', () => {
    const labels = { 'local-cluster': 'true' };
    expect(isLocalCluster(managedCluster('hub', { labels }))).toBe(true);
    expect(isLocalCluster(managedCluster('local-cluster'))).toBe(false);
  });
});
