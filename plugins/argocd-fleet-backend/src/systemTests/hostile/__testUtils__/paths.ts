import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { FLEET_RESOURCES, type FleetResource } from '../../../fleet/resources';

/** Path of a resource on a hub, or of one object of it. */
export function hubPath(
  resource: FleetResource,
  { namespace, name }: { readonly namespace?: string; readonly name?: string },
): string {
  const { group, version, plural } = FLEET_RESOURCES[resource];
  return [
    group ? `/apis/${group}/${version}` : `/api/${version}`,
    ...(namespace ? ['namespaces', namespace] : []),
    plural,
    ...(name ? [name] : []),
  ].join('/');
}

/** Path of an object on a hub. */
export function pathOf(
  resource: FleetResource,
  { metadata }: Pick<KubernetesObject, 'metadata'>,
): string {
  return hubPath(resource, metadata);
}
