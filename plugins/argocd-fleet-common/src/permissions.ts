import { createPermission } from '@backstage/plugin-permission-common';

/** Allows reading ApplicationSets, clusters, timelines and the state of the controllers. @public */
export const argocdFleetReadPermission = createPermission({
  name: 'argocd-fleet.read',
  attributes: { action: 'read' },
});

/** Allows creating and updating Placements and ApplicationSets on a hub, as the scaffolder's actions do. @public */
export const argocdFleetCreatePermission = createPermission({
  name: 'argocd-fleet.create',
  attributes: { action: 'create' },
});

/** Every permission of the plugin. @public */
export const argocdFleetPermissions = [
  argocdFleetReadPermission,
  argocdFleetCreatePermission,
];
