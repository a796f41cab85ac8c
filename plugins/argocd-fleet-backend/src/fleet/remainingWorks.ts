import {
  HOSTING_APPLICATION_SET_ANNOTATION,
  isObjectName,
  type ArgoApplicationSet,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { objectKey, parseKey } from '../kubernetes/client';
import { hubApplicationOf, isPullModel } from '../model/delivery';
import { isFrozenByOthers } from '../model/removal';
import type { EndingWork, RemainingWorks } from '../model/views';
import type { FleetCache } from './fleetCache';

/** The works of an ApplicationSet that deliver no Application any more. */
export function remainingWorks(
  cache: FleetCache,
  { metadata }: ArgoApplicationSet,
): RemainingWorks {
  const clusters = {
    kept: [] as string[],
    frozen: [] as string[],
    ending: [] as string[],
  };
  for (const work of worksThatMayRemain(cache, objectKey(metadata))) {
    const kind = kindOf(work, cache, metadata.namespace);
    if (kind) {
      clusters[kind].push(work.metadata.namespace ?? '');
    }
  }
  Object.values(clusters).forEach(names => names.sort());
  return clusters;
}

/** Those of Applications that are not pull-model, frozen ones and terminating ones: few, of the many that a set has. */
function worksThatMayRemain(
  { applications, works }: FleetCache,
  set: string,
): ReadonlySet<ManifestWork> {
  const found = new Set(works.by('stoppedOfSet', set));
  for (const key of applications.keysBy('applicationSet', set)) {
    const application = applications.get(key);
    if (application && !isPullModel(application)) {
      works.by('hubApplication', key).forEach(work => found.add(work));
    }
  }
  return found;
}

/** The works of a cluster that are being deleted after their Applications. */
export function endingWorks(cache: FleetCache, cluster: string): EndingWork[] {
  return cache.works.by('ending', cluster).flatMap(work => {
    const { metadata } = work;
    const application = hubApplicationOf(work)!;
    if (cache.applications.get(objectKey(application))) {
      return [];
    }
    const set = metadata.annotations?.[HOSTING_APPLICATION_SET_ANNOTATION];
    const owner = parseKey(set ?? '');
    return [
      {
        name: metadata.name,
        since: metadata.deletionTimestamp!,
        application,
        // Agents may write works: this may be no name, and a set of another namespace did not make the Application.
        ...(owner.namespace === application.namespace &&
          isObjectName(owner.name ?? '') && { applicationSet: owner }),
      },
    ];
  });
}

function kindOf(
  work: ManifestWork,
  { applications }: FleetCache,
  namespace: string | undefined,
): keyof RemainingWorks | undefined {
  const name = hubApplicationOf(work);
  if (!name || name.namespace !== namespace) {
    return undefined;
  }
  const application = applications.get(objectKey(name));
  if (work.metadata.deletionTimestamp) {
    return application ? undefined : 'ending';
  }
  if (application && isPullModel(application)) {
    return undefined;
  }
  if (isFrozenByOthers(work)) {
    return 'frozen';
  }
  return application && 'kept';
}
