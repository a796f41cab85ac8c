import type {
  ArgoApplicationSet,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { objectKey } from '../kubernetes/client';
import { hubApplicationOf, isPullModel } from '../model/delivery';
import { isFrozenByOthers } from '../model/removal';
import type { RemainingWorks } from '../model/views';
import type { FleetCache } from './fleetCache';

/** The works of an ApplicationSet that deliver no Application any more. */
export function remainingWorks(
  cache: FleetCache,
  { metadata }: ArgoApplicationSet,
): RemainingWorks {
  const kept: string[] = [];
  const frozen: string[] = [];
  const ending: string[] = [];
  for (const work of cache.works.by('applicationSet', objectKey(metadata))) {
    const kind = kindOf(work, cache, metadata.namespace);
    const cluster = work.metadata.namespace ?? '';
    if (kind === 'kept') {
      kept.push(cluster);
    } else if (kind === 'frozen') {
      frozen.push(cluster);
    } else if (kind === 'ending') {
      ending.push(cluster);
    }
  }
  return { kept: kept.sort(), frozen: frozen.sort(), ending: ending.sort() };
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
