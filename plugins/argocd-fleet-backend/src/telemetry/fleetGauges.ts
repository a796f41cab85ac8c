import type { MetricsService } from '@backstage/backend-plugin-api/alpha';
import type { CountedKind, FleetCounts, FleetFigures } from '../database';

/** Names of the gauges, which docs/metrics.md explains. */
const GAUGE_NAMES: Readonly<Record<CountedKind, string>> = {
  applications: 'argocd_fleet.applications',
  clusters: 'argocd_fleet.clusters',
  applicationSets: 'argocd_fleet.applicationsets',
};

/** Has the recorded state of the fleet counted whenever metrics are collected; every replica tells the same. */
export function observeFleetCounts(
  metrics: MetricsService,
  { count }: FleetCounts,
  hubs: readonly string[],
): void {
  let counting: Promise<FleetFigures> | undefined;
  /** Once for all gauges: they are asked at the same time. */
  function figures(): Promise<FleetFigures> {
    counting ??= count(hubs).finally(() => {
      counting = undefined;
    });
    return counting;
  }

  for (const [kind, name] of Object.entries(GAUGE_NAMES)) {
    metrics
      .createObservableGauge(name, {
        description: `Number of ${kind} by health and sync, those of their worst Application`,
      })
      .addCallback(async result => {
        for (const counted of (await figures()).counts) {
          if (counted.kind === kind) {
            const { hub, health, sync } = counted;
            result.observe(counted.count, { hub, health, sync });
          }
        }
      });
  }
  metrics
    .createObservableGauge('argocd_fleet.clusters.stale', {
      description: 'Clusters with Applications that are silent',
    })
    .addCallback(async result => {
      for (const { hub, staleClusters } of (await figures()).staleness) {
        result.observe(staleClusters, { hub });
      }
    });
  metrics
    .createObservableGauge('argocd_fleet.status.oldest.age', {
      unit: 's',
      description:
        'How old the oldest status that is shown is: that of a cluster that reports is of now',
    })
    .addCallback(async result => {
      for (const { hub, since } of (await figures()).staleness) {
        const ms = since === undefined ? 0 : Date.now() - Date.parse(since);
        result.observe(Math.max(0, ms) / 1000, { hub });
      }
    });
}
