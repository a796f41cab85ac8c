import type {
  MetricsService,
  MetricsServiceObservableCallback,
} from '@backstage/backend-plugin-api/alpha';
import { metricsServiceMock } from '@backstage/backend-test-utils/alpha';
import type { FleetFigures } from '../database/fleetCounts';
import { observeFleetCounts } from './fleetGauges';

describe('observeFleet', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  async function collect(figures: FleetFigures) {
    const gauges = new Map<string, MetricsServiceObservableCallback>();
    const metrics = metricsServiceMock.mock({
      createObservableGauge: (name: string) => ({
        addCallback: (callback: MetricsServiceObservableCallback) =>
          void gauges.set(name, callback),
        removeCallback() {},
      }),
    } as Partial<MetricsService>);
    const count = jest.fn(async () => figures);
    observeFleetCounts(metrics, { count }, ['prod']);
    const observed: Record<string, [number, unknown][]> = {};
    await Promise.all(
      [...gauges].map(([name, callback]) => {
        observed[name] = [];
        return callback({
          observe: (value, attributes) =>
            void observed[name].push([value, attributes]),
        });
      }),
    );
    return { observed, counted: count.mock.calls.length };
  }

  it('runs one query for all gauges, and gives each its own count', async () => {
    const state = { hub: 'prod', health: 'Healthy', sync: 'Synced' } as const;
    const { observed, counted } = await collect({
      counts: [
        { ...state, kind: 'applications', count: 6 },
        { ...state, kind: 'clusters', count: 3 },
        { ...state, kind: 'applicationSets', count: 2 },
      ],
      staleness: [{ hub: 'prod', staleClusters: 0 }],
    });
    expect(counted).toBe(1);
    expect(observed).toEqual({
      'argocd_fleet.applications': [[6, state]],
      'argocd_fleet.clusters': [[3, state]],
      'argocd_fleet.applicationsets': [[2, state]],
      'argocd_fleet.clusters.stale': [[0, { hub: 'prod' }]],
      // Every cluster reports.
      'argocd_fleet.status.oldest.age': [[0, { hub: 'prod' }]],
    });
  });

  it('reports the age of the status of the cluster that is stale for the longest time', async () => {
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    const { observed } = await collect({
      counts: [],
      staleness: [{ hub: 'prod', staleClusters: 2, since: hourAgo }],
    });
    expect(observed['argocd_fleet.clusters.stale']).toEqual([
      [2, { hub: 'prod' }],
    ]);
    expect(observed['argocd_fleet.status.oldest.age']).toEqual([
      [3_600, { hub: 'prod' }],
    ]);
  });
});
