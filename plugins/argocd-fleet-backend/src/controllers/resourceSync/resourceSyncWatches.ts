import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';
import {
  applicationsOfChangedAgents,
  applicationsOn,
  hubApplicationKeys,
  stalenessChanged,
  type FleetCache,
  type ResourceDetails,
} from '../../fleet';
import { objectKey } from '../../kubernetes/client';
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
          ? keysOf([
              ...applicationsOn(event.key, cache),
              ...cache.applications.by('formerTarget', event.key),
            ])
          : [],
      clusterSecrets: event =>
        keysOf(applicationsOfChangedAgents(event, cache)),
    },
    onOutsideEvent: details?.onChange,
  };
}

function keysOf(applications: readonly ArgoApplication[]): string[] {
  return applications.map(({ metadata }) => objectKey(metadata));
}
