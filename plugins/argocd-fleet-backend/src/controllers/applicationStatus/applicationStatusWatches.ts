import {
  hubApplicationKeys,
  stalenessChanged,
  type EventOf,
  type FleetCache,
} from '../../fleet';
import type { Watches } from '../../runtime';

/**
 * Events enqueue the Applications whose status they may change. The ApplicationSets are needed for the steps of their
 * progressive syncs.
 * @param onApplication - called with each event of an Application
 */
export function applicationStatusWatches(
  cache: FleetCache,
  onApplication: (event: EventOf<'applications'>) => void,
): Watches {
  return {
    synced: ['applications', 'works', 'clusters', 'applicationSets'],
    events: {
      applications(event) {
        onApplication(event);
        return [event.key];
      },
      works: hubApplicationKeys,
      clusters: event =>
        stalenessChanged(event)
          ? cache.applications.keysBy('pullTarget', event.key)
          : [],
    },
  };
}
