import type {
  ArgoApplicationSet,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import { objectKey } from '../kubernetes/client';
import { placementNamesOf } from '../model/views';
import { isOurs, recordedOwner } from '../model/writes';
import type { ApiHub } from './apiHub';
import { HubUnavailableError } from './hubErrorResponse';

type CachedHub = Pick<ApiHub, 'cache'>;

/**
 * The ApplicationSets that take their clusters from a Placement, whether it exists or not.
 * @throws HubUnavailableError while the hub's ApplicationSets are not completely known
 */
export function usersOf(
  { cache }: CachedHub,
  { namespace, name }: NamespacedName,
): ArgoApplicationSet[] {
  requireSync(cache, 'applicationSets');
  return [...cache.applicationSets.list()].filter(
    set =>
      set.metadata.namespace === namespace &&
      placementNamesOf(set).includes(name),
  );
}

/**
 * Whether others than an owner use a Placement: ApplicationSets of another owner or of none, or an import of clusters.
 * @throws HubUnavailableError while what may use it is not completely known
 */
export function foreignUse(
  hub: CachedHub,
  placement: NamespacedName,
  owner: string | undefined,
): boolean {
  const { cache } = hub;
  if (
    usersOf(hub, placement).some(
      set => !isOurs(set) || recordedOwner(set) !== owner,
    )
  ) {
    return true;
  }
  // A hub that does not serve them has no imports.
  if (cache.isNotServed('gitOpsClusters')) {
    return false;
  }
  requireSync(cache, 'gitOpsClusters');
  return cache.gitOpsClusters.by('placement', objectKey(placement)).length > 0;
}

/** @throws HubUnavailableError while the hub's objects of a resource are not completely known */
export function requireSync(
  cache: CachedHub['cache'],
  resource: 'applications' | 'applicationSets' | 'gitOpsClusters' | 'works',
): void {
  const [reason] = cache.unsyncedReasons([resource]);
  if (reason) {
    throw new HubUnavailableError(reason);
  }
}
