import { createPermission } from '@backstage/plugin-permission-common';

/** To see ApplicationSets, clusters and what the controllers do. @public */
export const argocdFleetReadPermission = createPermission({
  name: 'argocd-fleet.read',
  attributes: { action: 'read' },
});

/** To create a Placement or an ApplicationSet on a hub, as the scaffolder's actions do. @public */
export const argocdFleetCreatePermission = createPermission({
  name: 'argocd-fleet.create',
  attributes: { action: 'create' },
});

/** Every permission of the plugin. @public */
export const argocdFleetPermissions = [
  argocdFleetReadPermission,
  argocdFleetCreatePermission,
];
