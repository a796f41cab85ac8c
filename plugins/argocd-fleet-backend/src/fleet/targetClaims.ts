import type {
  ArgoApplication,
  ManifestWork,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import { objectKey, type ObjectName } from '../kubernetes/client';
import {
  applicationManifest,
  deliveryTarget,
  hubApplicationOf,
  isPullModel,
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

/**
 * The Application that keeps the target of this one, although it is no longer pull-model: its work stays until a person
 * releases it.
 */
export function keeperOfTarget(
  application: ArgoApplication,
  { applications, works }: FleetCache,
): NamespacedName | undefined {
  const [anyRemapped] = works.values('remappedTarget');
  const remapped = remappedTarget(application);
  if (anyRemapped === undefined && remapped === undefined) {
    return undefined;
  }
  const target = deliveryTarget(application);
  const { name } = application.metadata;
  const namespace = payloadNamespace(application);
  const there = (target ? works.by('remappedTarget', target) : []).concat(
    remapped ? works.by('hubApplication', objectKey({ namespace, name })) : [],
  );
  return there
    .filter(
      work => !work.metadata.deletionTimestamp && workTarget(work) === target,
    )
    .map(hubApplicationOf)
    .find(keeper => {
      const other = keeper && applications.get(objectKey(keeper));
      return other && other !== application && !isPullModel(other);
    });
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
