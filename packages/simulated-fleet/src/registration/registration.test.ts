import { ManagedCluster } from '../kubernetes/clusterTypes';
import { Condition, objectKey } from '../kubernetes/objects';
import {
  leases,
  managedClusters,
  manifestWorks,
} from '../kubernetes/resources';
import { ScenarioCluster } from '../scenario/schema';
import { ClusterFaults } from '../cluster/simulatedCluster';
import { applicationWork, feedbackOf } from '../__testUtils__/applicationWork';
import { FleetOnHub, startHubForFleets } from '../__testUtils__/fleetOnHub';
import { leaseLeftMs } from './clusterLease';
import { clusterStatus, clusterTaints } from './clusterStatus';

const NOW = new Date('2026-01-01T10:00:00Z');
const NO_FAULTS: ClusterFaults = {
  offline: false,
  apiServerDown: false,
  clockSkewSeconds: 0,
};
const scenarioCluster: ScenarioCluster = {
  name: 'a',
  labels: {},
  claims: { platform: 'AWS' },
  kubernetesVersion: 'v1.33.4',
  leaseDurationSeconds: 60,
};
const cluster = (overrides: Partial<ManagedCluster> = {}): ManagedCluster => ({
  apiVersion: 'cluster.open-cluster-management.io/v1',
  kind: 'ManagedCluster',
  metadata: { name: 'a' },
  ...overrides,
});
const condition = (
  conditions: readonly Condition[] | undefined,
  type: string,
) => conditions?.find(entry => entry.type === type);
const available = (object: ManagedCluster | undefined) =>
  condition(object?.status?.conditions, 'ManagedClusterConditionAvailable');

describe('clusterStatus', () => {
  it.each<[string, Partial<ClusterFaults>, boolean, string, string]>([
    ['without faults', {}, false, 'True', 'ManagedClusterAvailable'],
    [
      'whose lease expired',
      { offline: true },
      true,
      'Unknown',
      'ManagedClusterLeaseUpdateStopped',
    ],
    [
      'whose API server fails',
      { apiServerDown: true },
      false,
      'False',
      'ManagedClusterKubeAPIServerUnavailable',
    ],
    [
      'whose clock is so far behind that its lease looks expired',
      { clockSkewSeconds: -600 },
      true,
      'Unknown',
      'ManagedClusterLeaseUpdateStopped',
    ],
  ])(
    'sets the available condition of a cluster %s',
    (_, faults, leaseExpired, status, reason) => {
      const { conditions } = clusterStatus(cluster(), scenarioCluster, {
        faults: { ...NO_FAULTS, ...faults },
        leaseExpired,
        now: NOW,
      });
      expect(
        condition(conditions, 'ManagedClusterConditionAvailable'),
      ).toMatchObject({ status, reason });
    },
  );

  it('does not change while the lease of an offline cluster is valid', () => {
    const status = clusterStatus(cluster(), scenarioCluster, {
      faults: NO_FAULTS,
      leaseExpired: false,
      now: NOW,
    });
    const later = clusterStatus(cluster({ status }), scenarioCluster, {
      faults: { ...NO_FAULTS, offline: true },
      leaseExpired: false,
      now: new Date('2026-01-01T10:04:00Z'),
    });
    expect(later).toEqual(status);
  });

  it.each([
    [59, 'True'],
    [-59, 'True'],
    [60, 'False'],
    [-3600, 'False'],
  ])(
    'with a clock skew of %d s sets ClockSynced to %s',
    (clockSkewSeconds, synced) => {
      const { conditions } = clusterStatus(cluster(), scenarioCluster, {
        faults: { ...NO_FAULTS, clockSkewSeconds },
        leaseExpired: false,
        now: NOW,
      });
      expect(
        condition(conditions, 'ManagedClusterConditionClockSynced')?.status,
      ).toBe(synced);
    },
  );
});

describe('clusterTaints', () => {
  const own = { key: 'mine', effect: 'NoSelect' as const };
  const taint = (name: string) => ({
    key: `cluster.open-cluster-management.io/${name}`,
    effect: 'NoSelect' as const,
    timeAdded: '2026-01-01T10:00:00Z',
  });
  it.each([
    ['True', [own, taint('unreachable')], [own]],
    ['Unknown', [own], [own, taint('unreachable')]],
    ['Unknown', [taint('unavailable')], [taint('unreachable')]],
    ['False', [taint('unreachable')], [taint('unavailable')]],
    ['False', [taint('unavailable')], [taint('unavailable')]],
  ] as const)(
    'with Available %s and the taints %j',
    (status, before, after) => {
      expect(
        clusterTaints(
          cluster({ spec: { taints: [...before] } }),
          [
            {
              type: 'ManagedClusterConditionAvailable',
              status,
              reason: '',
              message: '',
              lastTransitionTime: '',
            },
          ],
          NOW,
        ),
      ).toEqual(after);
    },
  );
});

describe('leaseLeftMs', () => {
  it.each([
    [60, 0, 300_000],
    [60, 299_000, 1_000],
    [60, 300_000, 0],
    [3, 16_000, -1_000],
  ])(
    'of a lease of %d s, %d ms after its renewal, is %d ms',
    (s, age, left) => {
      expect(leaseLeftMs(s, age)).toBe(left);
    },
  );
});

describe('a cluster with changing faults', () => {
  let on: FleetOnHub;
  beforeEach(async () => {
    on = await startHubForFleets();
  });
  afterEach(() => on.stop());

  const cluster1 = (items: ManagedCluster[]) =>
    items.find(({ metadata }) => metadata.name === 'c1');
  const taintsOf = (object: ManagedCluster | undefined) =>
    object?.spec?.taints?.map(({ key }) => key.split('/')[1]);
  const untilAvailable = (status: string) =>
    on.until(managedClusters, items => {
      const found = cluster1(items);
      return available(found)?.status === status && found;
    });
  const untilTaints = (...names: string[]) =>
    on.until(
      managedClusters,
      items => names.join() === (taintsOf(cluster1(items)) ?? []).join(),
    );
  const workOn = (items: { metadata: { name: string } }[], name: string) =>
    items.find(({ metadata }) => metadata.name === name);

  it('renews its lease, becomes Unknown when the lease expires, and becomes available again', async () => {
    const fleet = await on.start(
      'clusters: [{ name: c1, leaseDurationSeconds: 2 }, { name: c2 }]',
    );
    await untilAvailable('True');
    const first = await on.until(
      leases,
      items => workOn(items, 'managed-cluster-lease') && items[0],
    );
    expect(first.spec?.leaseDurationSeconds).toBeDefined();
    const renewals = new Set<string>();
    await on.until(leases, items => {
      const renewed = items.find(({ metadata }) => metadata.namespace === 'c1')
        ?.spec?.renewTime;
      return renewals.add(renewed ?? '').size > 2;
    });

    fleet.faults.offline('c1');
    const missed = await untilAvailable('Unknown');
    expect(available(missed)?.reason).toBe('ManagedClusterLeaseUpdateStopped');
    await untilTaints('unreachable');

    fleet.faults.online('c1');
    await untilAvailable('True');
    await untilTaints();

    fleet.faults.apiServerDown('c1');
    await untilAvailable('False');
    await untilTaints('unavailable');
    fleet.faults.apiServerUp('c1');
    await untilAvailable('True');

    expect(() => fleet.faults.offline('c3')).toThrow(
      'The fleet has no cluster c3; its clusters are c1, c2.',
    );
  });

  it('catches up with works that were created, changed and deleted while it was offline', async () => {
    const fleet = await on.start('clusters: [{ name: c1 }, { name: c2 }]');
    const healthy = (name: string, revision?: string) =>
      on.until(manifestWorks, items => {
        const work = items.find(item => objectKey(item) === name);
        return (
          feedbackOf(work, 'healthStatus') === 'Healthy' &&
          feedbackOf(work, 'syncRevision') !== revision &&
          work
        );
      });
    await on.client.create(manifestWorks, applicationWork('c1', 'changed'));
    await on.client.create(manifestWorks, applicationWork('c1', 'deleted'));
    const before = await healthy('c1/changed');
    await healthy('c1/deleted');

    fleet.faults.offline('c1');
    await on.client.create(manifestWorks, applicationWork('c1', 'new'));
    await on.client.delete(manifestWorks, { namespace: 'c1', name: 'deleted' });
    const change = applicationWork('c1', 'changed');
    change.spec!.workload!.manifests = change.spec!.workload!.manifests!.map(
      manifest => ({
        ...manifest,
        spec: {
          ...manifest.spec,
          source: {
            repoURL: 'https://example.com/r.git',
            path: 'demo',
            targetRevision: 'v2',
          },
        },
      }),
    );
    await on.client.patch(manifestWorks, change.metadata, {
      spec: { workload: change.spec!.workload },
    });
    // The work of another cluster is applied: the fleet has processed the events.
    await on.client.create(manifestWorks, applicationWork('c2', 'other'));
    await healthy('c2/other');
    const { items: waiting } = await on.client.list(manifestWorks);
    expect(
      waiting.map(({ metadata, status }) => [
        metadata.name,
        metadata.generation,
        status?.conditions?.[0].observedGeneration,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['changed', 2, 1],
        ['deleted', expect.any(Number), 1],
        ['new', 1, undefined],
      ]),
    );

    fleet.faults.online('c1');
    await healthy('c1/new');
    await healthy('c1/changed', feedbackOf(before, 'syncRevision') as string);
    await on.until(manifestWorks, items => !workOn(items, 'deleted'));
  });

  it('reports times of its own clock while the clock is skewed', async () => {
    const fleet = await on.start(
      `
      clusters: [{ name: c1 }]
      timeline: [{ at: 0s, clockSkew: { cluster: c1, seconds: -240 } }]
      `,
      { speed: 1 },
    );
    await on.until(managedClusters, items =>
      items.some(
        ({ status }) =>
          condition(status?.conditions, 'ManagedClusterConditionClockSynced')
            ?.status === 'False',
      ),
    );
    const before = Date.now();
    await on.client.create(manifestWorks, applicationWork('c1', 'app'));
    const startedAt = await on.until(manifestWorks, items =>
      feedbackOf(items[0], 'operationStateStartedAt'),
    );
    const startedByOurClock = Date.parse(String(startedAt)) + 240_000;
    // Kubernetes writes times in whole seconds.
    expect(startedByOurClock).toBeGreaterThan(before - 1_000);
    expect(startedByOurClock).toBeLessThanOrEqual(Date.now());
    expect(
      available((await on.client.list(managedClusters)).items[0])?.status,
    ).toBe('True');
    fleet.faults.clockSkew('*', 0);
    await on.until(managedClusters, items =>
      items.some(
        ({ status }) =>
          condition(status?.conditions, 'ManagedClusterConditionClockSynced')
            ?.status === 'True',
      ),
    );
  });
});
