import type {
  ArgoApplication,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { objectKey, type ObjectName } from '../kubernetes/client';
import {
  applicationManifest,
  deliveryTarget,
  remappedTarget,
  payloadNamespace,
  workTarget,
} from '../model/delivery';
import type { FleetCache } from './fleetCache';

/** Whether any two Applications can come to the same place at all. */
export function mayCollide({ applications }: FleetCache): boolean {
  const [any] = applications.values('remappedTarget');
  return any !== undefined;
}

/** All Applications that come to the place of this one. */
export function applicationsWithSameTarget(
  application: ArgoApplication,
  cache: FleetCache,
): readonly ArgoApplication[] {
  const { name } = application.metadata;
  const namespace = payloadNamespace(application);
  return claimants(deliveryTarget(application), { namespace, name }, cache);
}

/** All Applications that come to the place that the work delivers to. */
export function applicationsWithTargetOf(
  work: ManifestWork,
  cache: FleetCache,
): readonly ArgoApplication[] {
  const manifest = applicationManifest(work);
  return manifest ? claimants(workTarget(work), manifest.metadata, cache) : [];
}

function claimants(
  place: string | undefined,
  nameThere: ObjectName,
  { applications }: FleetCache,
): readonly ArgoApplication[] {
  if (place === undefined) {
    return [];
  }
  const diverted = applications.by('remappedTarget', place);
  const namesake = applications.get(objectKey(nameThere));
  return namesake &&
    remappedTarget(namesake) === undefined &&
    deliveryTarget(namesake) === place
    ? [...diverted, namesake]
    : diverted;
}
