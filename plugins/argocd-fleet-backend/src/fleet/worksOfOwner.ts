import type { ManifestWork } from 'backstage-plugin-argocd-fleet-common';
import { parseKey } from '../kubernetes/client';
import { hubApplicationOf } from '../model/delivery';
import type { FleetCache } from './fleetCache';

/**
 * The works of an ApplicationSet, or of an Application: what an order for it covers.
 * @param key - `<namespace>/<name>`
 */
export function worksOfOwner(
  cache: Pick<FleetCache, 'works'>,
  kind: string,
  key: string,
): readonly ManifestWork[] {
  const { namespace } = parseKey(key);
  return cache.works
    .by(kind === 'ApplicationSet' ? 'applicationSet' : 'hubApplication', key)
    .filter(work => hubApplicationOf(work)?.namespace === namespace);
}
