import type {
  ArgoApplication,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { objectKey, type ObjectName } from '../kubernetes/client';
import {
  applicationManifest,
  deliveryPlace,
  divertedPlace,
  payloadNamespace,
  workPlace,
} from '../model/delivery';
import type { FleetCache } from './indexes';

/** Whether any two Applications can come to the same place at all. */
export function mayCollide({ applications }: FleetCache): boolean {
  const [any] = applications.values('divertedPlace');
  return any !== undefined;
}

/** All Applications that come to the place of this one. */
export function claimantsOf(
  application: ArgoApplication,
  cache: FleetCache,
): readonly ArgoApplication[] {
  const { name } = application.metadata;
  const namespace = payloadNamespace(application);
  return claimants(deliveryPlace(application), { namespace, name }, cache);
}

/** All Applications that come to the place that the work delivers to. */
export function claimantsOfWork(
  work: ManifestWork,
  cache: FleetCache,
): readonly ArgoApplication[] {
  const manifest = applicationManifest(work);
  return manifest ? claimants(workPlace(work), manifest.metadata, cache) : [];
}

function claimants(
  place: string | undefined,
  nameThere: ObjectName,
  { applications }: FleetCache,
): readonly ArgoApplication[] {
  if (place === undefined) {
    return [];
  }
  const diverted = applications.by('divertedPlace', place);
  const namesake = applications.get(objectKey(nameThere));
  return namesake &&
    divertedPlace(namesake) === undefined &&
    deliveryPlace(namesake) === place
    ? [...diverted, namesake]
    : diverted;
}
