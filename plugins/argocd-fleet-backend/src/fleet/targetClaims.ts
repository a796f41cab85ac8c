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

/** Whether any two Applications can be delivered to the same target: names alone never collide. */
export function mayCollide({ applications }: FleetCache): boolean {
  const [any] = applications.values('remappedTarget');
  return any !== undefined;
}

/** All Applications that are delivered to the target of this one, itself included. */
export function applicationsWithSameTarget(
  application: ArgoApplication,
  cache: FleetCache,
): readonly ArgoApplication[] {
  const { name } = application.metadata;
  const namespace = payloadNamespace(application);
  return claimants(deliveryTarget(application), { namespace, name }, cache);
}

/** All Applications that are delivered to the target of the work. */
export function applicationsWithTargetOf(
  work: ManifestWork,
  cache: FleetCache,
): readonly ArgoApplication[] {
  const manifest = applicationManifest(work);
  return manifest ? claimants(workTarget(work), manifest.metadata, cache) : [];
}

function claimants(
  target: string | undefined,
  nameOnCluster: ObjectName,
  { applications }: FleetCache,
): readonly ArgoApplication[] {
  if (target === undefined) {
    return [];
  }
  const remapped = applications.by('remappedTarget', target);
  const namesake = applications.get(objectKey(nameOnCluster));
  return namesake &&
    remappedTarget(namesake) === undefined &&
    deliveryTarget(namesake) === target
    ? [...remapped, namesake]
    : remapped;
}
