import {
  hubApplicationKeys,
  stalenessChanged,
  type FleetCache,
  type ResourceDetails,
} from '../../fleet';
import type { Watches } from '../../runtime';

/**
 * Events enqueue the Applications whose state they may change. A change of PlacementDecisions waits for the next full
 * pass: no cluster reports anything because of it.
 */
export function resourceSyncWatches(
  cache: FleetCache,
  details: ResourceDetails | undefined,
): Watches {
  return {
    synced: [
      'applications',
      'works',
      'clusters',
      'applicationSets',
      'decisions',
    ],
    events: {
      applications: ({ key }) => [key],
      works: hubApplicationKeys,
      clusters: event =>
        stalenessChanged(event)
          ? cache.applications.keysBy('cluster', event.key)
          : [],
    },
    onOutsideEvent: details?.onChange,
  };
}
