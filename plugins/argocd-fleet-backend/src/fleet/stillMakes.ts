import {
  PLACEMENT_LABEL,
  type ArgoApplicationSet,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { objectKey } from '../kubernetes/client';
import { hubApplicationOf } from '../model/delivery';
import { isRecord } from '../model/json';
import { placementNamesOf } from '../model/views';
import type { FleetCache } from './fleetCache';

/** Whether an ApplicationSet that is not being deleted still makes the Application of a work that is gone. */
export function stillMakes(
  cache: FleetCache,
  applicationSet: string,
  work: ManifestWork,
): boolean {
  const set = cache.applicationSets.get(applicationSet);
  const name = hubApplicationOf(work)?.name;
  if (!set || set.metadata.deletionTimestamp || name === undefined) {
    return false;
  }
  return (
    applicationsOfStatus(set).has(name) ||
    selects(cache, set, work.metadata.namespace ?? '')
  );
}

/** Whether an ApplicationSet selects its clusters by Placements, none of which selects this one any more. */
export function hasDropped(
  cache: FleetCache,
  applicationSet: string,
  cluster: string,
): boolean {
  const set = cache.applicationSets.get(applicationSet);
  return (
    set !== undefined &&
    placementNamesOf(set).length > 0 &&
    !selects(cache, set, cluster)
  );
}

/** By set: it is read for each of thousands of works. */
const applicationsByStatus = new WeakMap<
  ArgoApplicationSet,
  ReadonlySet<string>
>();

/** Names of the Applications that Argo CD's controller lists in the status of the set. */
function applicationsOfStatus(set: ArgoApplicationSet): ReadonlySet<string> {
  let names = applicationsByStatus.get(set);
  if (!names) {
    const { resources } = (set.status ?? {}) as { resources?: unknown };
    names = new Set(
      (Array.isArray(resources) ? resources : []).flatMap(resource =>
        isRecord(resource) && typeof resource.name === 'string'
          ? [resource.name]
          : [],
      ),
    );
    applicationsByStatus.set(set, names);
  }
  return names;
}

function selects(
  cache: FleetCache,
  set: ArgoApplicationSet,
  cluster: string,
): boolean {
  const names = placementNamesOf(set);
  const { namespace } = set.metadata;
  return cache.decisions
    .by('cluster', objectKey({ namespace, name: cluster }))
    .some(({ metadata }) =>
      names.includes(metadata.labels?.[PLACEMENT_LABEL] ?? ''),
    );
}
