import type { MetricsService } from '@backstage/backend-plugin-api/alpha';
import type { CountedKind, FleetCounts, FleetFigures } from '../database';

/** Names of the gauges; see docs/metrics.md. */
const GAUGE_NAMES: Readonly<Record<CountedKind, string>> = {
  applications: 'argocd_fleet.applications',
  clusters: 'argocd_fleet.clusters',
  applicationSets: 'argocd_fleet.applicationsets',
};

/** Registers gauges that count the recorded state of the fleet at each collection; every replica reports the same. */
export function observeFleetCounts(
  metrics: MetricsService,
  { count }: FleetCounts,
  hubs: readonly string[],
): void {
  let counting: Promise<FleetFigures> | undefined;
  /** One query for all gauges: they are collected at the same time. */
  function figures(): Promise<FleetFigures> {
    counting ??= count(hubs).finally(() => {
      counting = undefined;
    });
    return counting;
  }

  for (const [kind, name] of Object.entries(GAUGE_NAMES)) {
    metrics
      .createObservableGauge(name, {
        description: `Number of recorded ${kind} by health and sync status; a group of Applications has the status of its worst one`,
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
      description:
        'Number of clusters with Applications whose agent stopped reporting',
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
        'Age of the oldest status that is shown; the status of a cluster that reports has age 0',
    })
    .addCallback(async result => {
      for (const { hub, since } of (await figures()).staleness) {
        const ms = since === undefined ? 0 : Date.now() - Date.parse(since);
        result.observe(Math.max(0, ms) / 1000, { hub });
      }
    });
}
