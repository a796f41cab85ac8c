import { ManagedCluster } from '../kubernetes/clusterTypes';
import { Condition, objectKey } from '../kubernetes/objects';
import {
  leases,
  managedClusters,
  manifestWorks,
} from '../kubernetes/resources';
import { ScenarioCluster } from '../scenario/schema';
import { ClusterTrouble } from '../simulatedCluster';
import { applicationWork, feedbackOf } from '../testing/applicationWork';
import { FleetOnHub, startHubForFleets } from '../__testUtils__/fleetOnHub';
import { leaseLeftMs } from './clusterLease';
import { clusterStatus, clusterTaints } from './clusterStatus';

// A loaded machine takes its time; nothing here waits for time to pass.
jest.setTimeout(60_000);

const NOW = new Date('2026-01-01T10:00:00Z');
const FINE: ClusterTrouble = {
  offline: false,
  apiServerDown: false,
  clockSkewSeconds: 0,
};
const facts: ScenarioCluster = {
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

describe('the status of a cluster', () => {
  it.each<[string, Partial<ClusterTrouble>, boolean, string, string]>([
    ['fine', {}, false, 'True', 'ManagedClusterAvailable'],
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
      'whose clock is far behind, so that its lease looks old',
      { clockSkewSeconds: -600 },
      true,
      'Unknown',
      'ManagedClusterLeaseUpdateStopped',
    ],
  ])('that is %s', (_, trouble, leaseExpired, status, reason) => {
    const { conditions } = clusterStatus(cluster(), facts, {
      trouble: { ...FINE, ...trouble },
      leaseExpired,
      now: NOW,
    });
    expect(
      condition(conditions, 'ManagedClusterConditionAvailable'),
    ).toMatchObject({ status, reason });
  });

  it('stays what it was while a silent one has its grace', () => {
    const status = clusterStatus(cluster(), facts, {
      trouble: FINE,
      leaseExpired: false,
      now: NOW,
    });
    const later = clusterStatus(cluster({ status }), facts, {
      trouble: { ...FINE, offline: true },
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
  ])('says that a clock %d s off is synced: %s', (clockSkewSeconds, synced) => {
    const { conditions } = clusterStatus(cluster(), facts, {
      trouble: { ...FINE, clockSkewSeconds },
      leaseExpired: false,
      now: NOW,
    });
    expect(
      condition(conditions, 'ManagedClusterConditionClockSynced')?.status,
    ).toBe(synced);
  });
});

describe('the taints of a cluster', () => {
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
  ] as const)('when available is %s, from %j', (status, before, after) => {
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
  });
});

describe('a lease', () => {
  it.each([
    [60, 0, 300_000],
    [60, 299_000, 1_000],
    [60, 300_000, 0],
    [3, 16_000, -1_000],
  ])('of %d s is good, %d ms after its renewal, for %d ms', (s, age, left) => {
    expect(leaseLeftMs(s, age)).toBe(left);
  });
});

describe('a cluster that comes and goes', () => {
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

  it('renews its lease, is missed after its grace, and is welcome back', async () => {
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

  it('catches up with what came, changed and went meanwhile', async () => {
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
    // Somebody else's work is done meanwhile, so the fleet had its chance.
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

  it('with a clock that is off reports skewed times', async () => {
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
    await on.client.create(manifestWorks, applicationWork('c1', 'app'));
    const created = Date.now();
    const startedAt = await on.until(manifestWorks, items =>
      feedbackOf(items[0], 'operationStateStartedAt'),
    );
    const behind = created - Date.parse(String(startedAt));
    expect(behind).toBeGreaterThan(200_000);
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
