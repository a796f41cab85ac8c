import type { PermissionsRegistryService } from '@backstage/backend-plugin-api';
import {
  argocdFleetApplicationSetPermissions,
  argocdFleetClusterReadPermission,
  argocdFleetControllerReadPermission,
  argocdFleetHubReadPermission,
  parseApplicationSetAnnotation,
} from 'backstage-plugin-argocd-fleet-common';
import {
  argocdFleetApplicationSetResourceRef,
  argocdFleetApplicationSetRules,
  argocdFleetClusterResourceRef,
  argocdFleetClusterRules,
  type ApplicationSetFacts,
  type ClusterFacts,
} from 'backstage-plugin-argocd-fleet-node';
import { objectKey } from '../kubernetes/client';
import type { ApiHub } from './apiHub';
import { recordedFacts, type FleetFacts } from './fleetFacts';

/**
 * Registers the permissions and rules. Where Backstage itself decides about single resources, by `<hub>:<namespace>/<name>`
 * or `<hub>:<cluster>`, its rules have two values: a resource of which something is not known does not exist for it. It
 * does not say for which permission, so only the owner that is recorded on an ApplicationSet counts.
 */
export function registerPermissions(
  registry: PermissionsRegistryService,
  hubs: readonly Pick<ApiHub, 'name' | 'cache'>[],
  facts: FleetFacts,
): void {
  registry.addResourceType({
    resourceRef: argocdFleetApplicationSetResourceRef,
    permissions: argocdFleetApplicationSetPermissions,
    rules: Object.values(argocdFleetApplicationSetRules),
    getResources: async refs => refs.map(applicationSetOf),
  });
  registry.addResourceType({
    resourceRef: argocdFleetClusterResourceRef,
    permissions: [argocdFleetClusterReadPermission],
    rules: Object.values(argocdFleetClusterRules),
    getResources: async refs => refs.map(clusterOf),
  });
  registry.addPermissions([
    argocdFleetControllerReadPermission,
    argocdFleetHubReadPermission,
  ]);

  function applicationSetOf(text: string): ApplicationSetFacts | undefined {
    const [parsed] = parseApplicationSetAnnotation(text).refs;
    const hub = hubs.find(({ name }) => name === parsed?.hub);
    const object = parsed && hub?.cache.applicationSets.get(objectKey(parsed));
    const known =
      hub && object && recordedFacts({ ...parsed, hub: hub.name }, object);
    return known?.owners ? known : undefined;
  }

  function clusterOf(text: string): ClusterFacts | undefined {
    const colon = text.indexOf(':');
    const known = facts.cluster(text.slice(0, colon), text.slice(colon + 1));
    return known.clusterSets ? known : undefined;
  }
}
