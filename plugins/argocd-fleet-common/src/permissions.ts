import {
  createPermission,
  type BasicPermission,
  type ResourcePermission,
} from '@backstage/plugin-permission-common';

/** Resource type of the permissions on ApplicationSets. @public */
export const RESOURCE_TYPE_APPLICATION_SET = 'argocd-fleet-application-set';

/** Resource type of the permissions on managed clusters. @public */
export const RESOURCE_TYPE_CLUSTER = 'argocd-fleet-cluster';

/** Allows reading an ApplicationSet with its Applications, rows and timelines. @public */
export const argocdFleetApplicationSetReadPermission = createPermission({
  name: 'argocd-fleet.application-set.read',
  attributes: { action: 'read' },
  resourceType: RESOURCE_TYPE_APPLICATION_SET,
});

/** Allows creating an ApplicationSet, or a Placement, as the scaffolder's actions do. @public */
export const argocdFleetApplicationSetCreatePermission = createPermission({
  name: 'argocd-fleet.application-set.create',
  attributes: { action: 'create' },
  resourceType: RESOURCE_TYPE_APPLICATION_SET,
});

/** Allows changing an ApplicationSet, or a Placement, that Argo CD Fleet created. @public */
export const argocdFleetApplicationSetUpdatePermission = createPermission({
  name: 'argocd-fleet.application-set.update',
  attributes: { action: 'update' },
  resourceType: RESOURCE_TYPE_APPLICATION_SET,
});

/** Allows deleting an ApplicationSet, or a Placement, that Argo CD Fleet created. @public */
export const argocdFleetApplicationSetDeletePermission = createPermission({
  name: 'argocd-fleet.application-set.delete',
  attributes: { action: 'delete' },
  resourceType: RESOURCE_TYPE_APPLICATION_SET,
});

/** Allows reading a managed cluster and its timeline. @public */
export const argocdFleetClusterReadPermission = createPermission({
  name: 'argocd-fleet.cluster.read',
  attributes: { action: 'read' },
  resourceType: RESOURCE_TYPE_CLUSTER,
});

/** Allows reading the state, the errors and the findings of the controllers. @public */
export const argocdFleetControllerReadPermission = createPermission({
  name: 'argocd-fleet.controller.read',
  attributes: { action: 'read' },
});

/** Allows reading what is wrong with a hub in full: addresses, file paths and account names. @public */
export const argocdFleetHubReadPermission = createPermission({
  name: 'argocd-fleet.hub.read',
  attributes: { action: 'read' },
});

/** The permissions on ApplicationSets. @public */
export const argocdFleetApplicationSetPermissions = [
  argocdFleetApplicationSetReadPermission,
  argocdFleetApplicationSetCreatePermission,
  argocdFleetApplicationSetUpdatePermission,
  argocdFleetApplicationSetDeletePermission,
];

/** Every permission of the plugin. @public */
export const argocdFleetPermissions: (
  | ResourcePermission<typeof RESOURCE_TYPE_APPLICATION_SET>
  | ResourcePermission<typeof RESOURCE_TYPE_CLUSTER>
  | BasicPermission
)[] = [
  ...argocdFleetApplicationSetPermissions,
  argocdFleetClusterReadPermission,
  argocdFleetControllerReadPermission,
  argocdFleetHubReadPermission,
];
