import type {
  ArgoApplication,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { objectKey } from '../kubernetes/client';
import { hubApplicationOf, owningApplicationSet } from '../model/delivery';
import type { EventOf } from './eventPredicates';
import type { FleetCache, FleetEvent } from './fleetCache';

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
      return cache.applications.by('cluster', change.key);
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
