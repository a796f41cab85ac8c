import type {
  ArgoApplication,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import {
  applicationsWithSameTarget,
  applicationsWithTargetOf,
  decidedClusters,
  type FleetCache,
  type FleetEvent,
} from '../../fleet';
import { objectKey, parseKey } from '../../kubernetes/client';
import {
  hubApplicationOf,
  isPullModel,
  workTarget,
} from '../../model/delivery';
import { sameJson } from '../../model/json';
import { hasOneShotFields, sameToObserve } from '../../model/manifestwork';

/** Keys of the Applications whose work may have to change, with those that wait for a place that may have become free. */
export function applicationsConcernedBy(
  change: FleetEvent,
  cache: FleetCache,
): readonly string[] {
  switch (change.resource) {
    case 'applications': {
      const { key, before, after } = change;
      const concerns =
        [before, after].some(it => it && isPullModel(it)) ||
        cache.works.by('hubApplication', key).length > 0;
      if (!concerns || samePropagated(before, after)) {
        return [];
      }
      const rivals = [before, after].flatMap(it =>
        it ? applicationsWithSameTarget(it, cache) : [],
      );
      return unique([key, ...keysOf(rivals)]);
    }
    case 'works': {
      const { before, after } = change;
      if (before && after && sameDelivery(before, after)) {
        return [];
      }
      const stays = before && after && workTarget(before) === workTarget(after);
      const rivals = [before, after].flatMap(work =>
        work && !stays ? applicationsWithTargetOf(work, cache) : [],
      );
      const owners = [before, after].flatMap(work => {
        const application = work && hubApplicationOf(work);
        return application ? [objectKey(application)] : [];
      });
      return unique([...owners, ...keysOf(rivals)]);
    }
    case 'clusters':
      return isPresenceChange(change)
        ? applicationsFor(cache, change.key, () => true)
        : [];
    case 'decisions': {
      const before = new Set(decidedClusters(change.before));
      const after = new Set(decidedClusters(change.after));
      const { namespace } = parseKey(change.key);
      return [...new Set([...before, ...after])]
        .filter(cluster => before.has(cluster) !== after.has(cluster))
        .flatMap(cluster =>
          applicationsFor(cache, cluster, it => it.namespace === namespace),
        );
    }
    default:
      return [];
  }
}

/** A status, which is most of what happens to an Application, says nothing about how it travels. */
function samePropagated(
  before: ArgoApplication | undefined,
  after: ArgoApplication | undefined,
): boolean {
  return (
    before !== undefined &&
    after !== undefined &&
    sameJson(propagated(before), propagated(after))
  );
}

/**
 * What the agent reports says nothing about what it is given, except where something waits for the agent to have acted on it, and what it
 * names to be observed.
 */
function sameDelivery(before: ManifestWork, after: ManifestWork): boolean {
  const { resourceVersion: a, ...metadataBefore } = before.metadata;
  const { resourceVersion: b, ...metadataAfter } = after.metadata;
  return (
    !hasOneShotFields(after) &&
    sameJson(before.spec, after.spec) &&
    sameJson(metadataBefore, metadataAfter) &&
    sameToObserve(before, after)
  );
}

function propagated({ status, metadata, ...rest }: ArgoApplication) {
  const { resourceVersion, generation, ...kept } = metadata;
  return { ...rest, metadata: kept };
}

/** Heartbeats and conditions of a cluster say nothing about whether an Application may go there. */
function isPresenceChange({
  before,
  after,
}: Extract<FleetEvent, { resource: 'clusters' }>): boolean {
  return (
    JSON.stringify(before?.metadata.labels) !==
      JSON.stringify(after?.metadata.labels) ||
    Boolean(before) !== Boolean(after) ||
    before?.metadata.deletionTimestamp !== after?.metadata.deletionTimestamp
  );
}

function applicationsFor(
  cache: FleetCache,
  cluster: string,
  matches: (metadata: ArgoApplication['metadata']) => boolean,
): string[] {
  return cache.applications
    .by('pullTarget', cluster)
    .map(({ metadata }) => metadata)
    .filter(matches)
    .map(objectKey);
}

function keysOf(applications: readonly ArgoApplication[]): string[] {
  return applications.map(({ metadata }) => objectKey(metadata));
}

function unique(keys: readonly string[]): string[] {
  return [...new Set(keys)];
}
