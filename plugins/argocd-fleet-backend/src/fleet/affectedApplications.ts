import type {
  ArgoApplication,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { objectKey, parseKey } from '../kubernetes/client';
import {
  hubApplicationOf,
  owningApplicationSet,
  remappedTarget,
} from '../model/delivery';
import { reauthorised, type Selection } from './authorisations';
import {
  clusterPresenceChanged,
  clusterStateChanged,
  concernsOnlyPullModel,
  payloadChanged,
  statusMarkChanged,
  type EventOf,
} from './eventPredicates';
import type { FleetCache, FleetEvent } from './fleetCache';
import {
  applicationsShownOn,
  applicationsWithServerOf,
} from './clusterServers';
import { applicationsOfChangedAgents, applicationsOn } from './knownAgents';
import {
  applicationsWithSameTarget,
  applicationsWithTargetOf,
  mayCollide,
} from './targetClaims';

/** Applications of which a change of a hub may tell something new. */
export function affectedApplications(
  change: FleetEvent,
  cache: FleetCache,
): readonly ArgoApplication[] {
  switch (change.resource) {
    case 'applications':
      return [change.before, change.after].filter(isThere);
    case 'works':
      return [change.before, change.after]
        .map(work => work && hubApplicationOf(work))
        .map(name => name && cache.applications.get(objectKey(name)))
        .filter(isThere);
    case 'clusters':
      return [
        ...new Set([
          ...applicationsOn(change.key, cache),
          ...applicationsShownOn(change.key, cache),
        ]),
      ];
    default:
      return [];
  }
}

/** Keys of the ApplicationSets whose report, or whose page, may have to change. */
export function affectedApplicationSets(
  change: FleetEvent,
  cache: FleetCache,
): string[] {
  return change.resource === 'applicationSets' || change.resource === 'reports'
    ? [change.key]
    : ownersOf(affectedApplications(change, cache));
}

/**
 * Applications whose delivery, as the pages show it, an event may change: those of the event, and those that compete
 * with them for a target. Of a pull-model Application's own status only the mark is read that says what it is about.
 */
export function applicationsShownOtherwise(
  change: FleetEvent,
  cache: FleetCache,
): readonly ArgoApplication[] {
  switch (change.resource) {
    case 'applications':
      return concernsOnlyPullModel(change) &&
        !payloadChanged(change) &&
        !statusMarkChanged(change)
        ? []
        : withCompetitors(affectedApplications(change, cache), cache);
    case 'works':
      return affectedApplications(change, cache).concat(
        applicationsWithout(change, cache),
      );
    case 'clusters':
      // Its labels put it into cluster sets.
      return clusterStateChanged(change) || clusterPresenceChanged(change)
        ? affectedApplications(change, cache)
        : [];
    case 'clusterSecrets':
      return [change.before, change.after]
        .flatMap(secret => applicationsWithServerOf(secret, cache))
        .concat(applicationsOfChangedAgents(change, cache));
    case 'decisions':
    case 'placements':
    case 'clusterSets':
    case 'clusterSetBindings':
      return withCompetitors(
        applicationsOf(reauthorised(change, cache), 'cluster', cache),
        cache,
      );
    default:
      return [];
  }
}

/** Applications for a cluster, of the namespace for which it is selected. */
export function applicationsOf(
  selections: readonly Selection[],
  index: 'cluster' | 'pullTarget',
  cache: FleetCache,
): readonly ArgoApplication[] {
  // Any number of decisions may name the same cluster.
  const namespacesOf = new Map<string, Set<string>>();
  for (const { namespace, cluster } of selections) {
    const namespaces = namespacesOf.get(cluster) ?? new Set();
    namespacesOf.set(cluster, namespaces.add(namespace));
  }
  return Array.from(namespacesOf).flatMap(([cluster, namespaces]) =>
    (index === 'cluster'
      ? applicationsShownOn(cluster, cache)
      : cache.applications.by(index, cluster)
    ).filter(({ metadata }) => namespaces.has(metadata.namespace ?? '')),
  );
}

/** Applications without a work, which an event of another one's work may unblock or block. */
function applicationsWithout(
  { key, before, after }: EventOf<'works'>,
  cache: FleetCache,
): readonly ArgoApplication[] {
  const competitors = mayCollide(cache)
    ? [before, after]
        .filter(isThere)
        .flatMap(work => applicationsWithTargetOf(work, cache))
    : [];
  // Propagation's own works take no name that another Application needs.
  const isForeign =
    !after ||
    !hubApplicationOf(after) ||
    (before !== undefined && !hubApplicationOf(before));
  return isForeign
    ? cache.applications
        .by('pullTarget', parseKey(key).namespace)
        .filter(
          ({ metadata }) =>
            cache.works.by('hubApplication', objectKey(metadata)).length === 0,
        )
        .concat(competitors)
    : competitors;
}

/** Only an Application that is delivered to another namespace than its own can compete. */
function withCompetitors(
  applications: readonly ArgoApplication[],
  cache: FleetCache,
): readonly ArgoApplication[] {
  return mayCollide(cache) ||
    applications.some(each => remappedTarget(each) !== undefined)
    ? applications.flatMap(each => [
        each,
        ...applicationsWithSameTarget(each, cache),
      ])
    : applications;
}

/** Keys of the hub Applications that a ManifestWork delivers, before and after the event. */
export function hubApplicationKeys({
  before,
  after,
}: EventOf<'works'>): string[] {
  const was = before && hubApplicationKey(before);
  const is = after && hubApplicationKey(after);
  if (was === undefined || was === is) {
    return is === undefined ? [] : [is];
  }
  return is === undefined ? [was] : [was, is];
}

function hubApplicationKey(work: ManifestWork): string | undefined {
  const application = hubApplicationOf(work);
  return application && objectKey(application);
}

function ownersOf(applications: readonly ArgoApplication[]): string[] {
  const owners = applications.map(owningApplicationSet).filter(isThere);
  return [...new Set(owners.map(objectKey))];
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}
