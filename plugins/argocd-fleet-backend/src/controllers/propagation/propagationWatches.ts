import type {
  ArgoApplication,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
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
  type EventOf,
  type FleetCache,
  type FleetEvent,
} from '../../fleet';
import { objectKey } from '../../kubernetes/client';
import { hubApplicationOf, workTarget } from '../../model/delivery';
import { releaseOf, releasing } from '../../model/removal';
import type { Watches } from '../../runtime';

/**
 * Events enqueue the Applications whose work may have to change, and those that wait for a target that may have become
 * free.
 */
export function propagationWatches(cache: FleetCache): Watches {
  const ofReauthorised = (event: FleetEvent) =>
    keysOf(applicationsOf(reauthorised(event, cache), 'pullTarget', cache));
  /** Whether the removal of a work waits for what an agent reports. */
  const awaitsReport = (key: string) => {
    const works = cache.works.by('hubApplication', key);
    return works.length > 1 || works.some(work => releasing(work));
  };
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
          return hubApplicationKeys(event).filter(key => awaitsReport(key));
        }
        const { before, after } = event;
        const sameTarget =
          before && after && workTarget(before) === workTarget(after);
        const competitors = [before, after].flatMap(work =>
          work && !sameTarget ? applicationsWithTargetOf(work, cache) : [],
        );
        return new Set([...hubApplicationKeys(event), ...keysOf(competitors)]);
      },
      applicationSets: event =>
        removalOrderChanged(event)
          ? new Set(
              cache.works
                .by('applicationSet', event.key)
                .flatMap(work => hubApplicationKeysOf(work)),
            )
          : [],
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

/** Whether an ApplicationSet orders something else for works that deliver no longer: its deletion is an order too. */
function removalOrderChanged({
  before,
  after,
}: EventOf<'applicationSets'>): boolean {
  return (
    Boolean(after) !== Boolean(before) ||
    after?.metadata.deletionTimestamp !== before?.metadata.deletionTimestamp ||
    (after && releaseOf(after)) !== (before && releaseOf(before))
  );
}

function hubApplicationKeysOf(work: ManifestWork): string[] {
  const name = hubApplicationOf(work);
  return name ? [objectKey(name)] : [];
}

function keysOf(applications: readonly ArgoApplication[]): string[] {
  return applications.map(({ metadata }) => objectKey(metadata));
}
