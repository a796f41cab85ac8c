import type { MetricsService } from '@backstage/backend-plugin-api/alpha';
import type { CountedKind, FleetCounts } from './database';

/** Names of the gauges, which docs/metrics.md explains. */
const COUNTED: Readonly<Record<CountedKind, string>> = {
  applications: 'argocd_fleet.applications',
  clusters: 'argocd_fleet.clusters',
  applicationSets: 'argocd_fleet.applicationsets',
};

/** Has the recorded state of the fleet counted whenever metrics are collected; every replica tells the same. */
export function observeFleet(
  metrics: MetricsService,
  { counts, statusAges }: FleetCounts,
): void {
  for (const [kind, name] of Object.entries(COUNTED)) {
    metrics
      .createObservableGauge(name, {
        description: `Number of ${kind} by health and sync, those of their worst Application`,
      })
      .addCallback(async result => {
        for (const counted of await counts(kind as CountedKind)) {
          const { hub, health, sync, count } = counted;
          result.observe(count, { hub, health, sync });
        }
      });
  }
  metrics
    .createObservableGauge('argocd_fleet.clusters.stale', {
      description: 'Clusters with Applications that are silent',
    })
    .addCallback(async result => {
      for (const { hub, staleClusters } of await statusAges()) {
        result.observe(staleClusters, { hub });
      }
    });
  metrics
    .createObservableGauge('argocd_fleet.status.oldest.age', {
      unit: 's',
      description: 'Since the oldest status that is shown was reported',
    })
    .addCallback(async result => {
      for (const { hub, oldestStatusAt } of await statusAges()) {
        if (oldestStatusAt) {
          const ms = Date.now() - Date.parse(oldestStatusAt);
          result.observe(ms / 1000, { hub });
        }
      }
    });
}
