import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';
import {
  applicationsOf,
  applicationsWithSameTarget,
  applicationsWithTargetOf,
  clusterPresenceChanged,
  concernsPullModel,
  deliveryChanged,
  hubApplicationKeys,
  payloadChanged,
  reauthorised,
  type FleetCache,
  type FleetEvent,
} from '../../fleet';
import { objectKey } from '../../kubernetes/client';
import { workTarget } from '../../model/delivery';
import type { Watches } from '../../runtime';

/**
 * Events enqueue the Applications whose work may have to change, and those that wait for a target that may have become
 * free.
 */
export function propagationWatches(cache: FleetCache): Watches {
  const ofReauthorised = (event: FleetEvent) =>
    keysOf(applicationsOf(reauthorised(event, cache), 'pullTarget', cache));
  return {
    synced: ['applications', 'works', 'clusters', 'decisions'],
    events: {
      applications(event) {
        const { key, before, after } = event;
        const isPropagated =
          concernsPullModel(event) ||
          cache.works.by('hubApplication', key).length > 0;
        if (!isPropagated || !payloadChanged(event)) {
          return [];
        }
        const competitors = [before, after].flatMap(application =>
          application ? applicationsWithSameTarget(application, cache) : [],
        );
        return new Set([key, ...keysOf(competitors)]);
      },
      works(event) {
        if (!deliveryChanged(event)) {
          return [];
        }
        const { before, after } = event;
        const sameTarget =
          before && after && workTarget(before) === workTarget(after);
        const competitors = [before, after].flatMap(work =>
          work && !sameTarget ? applicationsWithTargetOf(work, cache) : [],
        );
        return new Set([...hubApplicationKeys(event), ...keysOf(competitors)]);
      },
      clusters: event =>
        clusterPresenceChanged(event)
          ? cache.applications.keysBy('pullTarget', event.key)
          : [],
      decisions: ofReauthorised,
      placements: ofReauthorised,
      clusterSets: ofReauthorised,
      clusterSetBindings: ofReauthorised,
    },
  };
}

function keysOf(applications: readonly ArgoApplication[]): string[] {
  return applications.map(({ metadata }) => objectKey(metadata));
}
