import {
  coreServices,
  createBackendModule,
  type UserInfoService,
} from '@backstage/backend-plugin-api';
import {
  catalogConditions,
  createCatalogConditionalDecision,
} from '@backstage/plugin-catalog-backend/alpha';
import {
  AuthorizeResult,
  isPermission,
  isResourcePermission,
  type PolicyDecision,
} from '@backstage/plugin-permission-common';
import type {
  PermissionPolicy,
  PolicyQuery,
  PolicyQueryUser,
} from '@backstage/plugin-permission-node';
import { policyExtensionPoint } from '@backstage/plugin-permission-node/alpha';
import {
  APPLICATION_SET_RESOURCE_TYPE,
  argocdFleetClusterReadPermission,
  argocdFleetPermissions,
  CLUSTER_RESOURCE_TYPE,
  RESOURCE_TYPE_APPLICATION_SET,
} from 'backstage-plugin-argocd-fleet-common';
import {
  argocdFleetApplicationSetConditions,
  createArgocdFleetApplicationSetConditionalDecision,
} from 'backstage-plugin-argocd-fleet-node';

const PLATFORM = 'group:default/platform';

const ALLOW = { result: AuthorizeResult.ALLOW } as const;
const DENY = { result: AuthorizeResult.DENY } as const;

/** Developers see and change what their team owns; the platform team sees and changes everything. */
class FleetPolicy implements PermissionPolicy {
  constructor(private readonly userInfo: UserInfoService) {}

  async handle(
    { permission }: PolicyQuery,
    user?: PolicyQueryUser,
  ): Promise<PolicyDecision> {
    const isFleet = argocdFleetPermissions.some(
      ({ name }) => name === permission.name,
    );
    const isEntity = isResourcePermission(permission, 'catalog-entity');
    if (!isFleet && !isEntity) {
      // The decisions on the rest of your portal belong here.
      return ALLOW;
    }
    if (!user) {
      return DENY;
    }
    const { ownershipEntityRefs: claims } = await this.userInfo.getUserInfo(
      user.credentials,
    );
    if (claims.includes(PLATFORM)) {
      return ALLOW;
    }
    if (isEntity) {
      // Entities of ApplicationSets and clusters tell what the permissions of Argo CD Fleet decide about.
      const { hasSpec, isEntityOwner } = catalogConditions;
      return createCatalogConditionalDecision(permission, {
        anyOf: [
          isEntityOwner({ claims }),
          {
            not: {
              anyOf: [
                hasSpec({ key: 'type', value: APPLICATION_SET_RESOURCE_TYPE }),
                hasSpec({ key: 'type', value: CLUSTER_RESOURCE_TYPE }),
              ],
            },
          },
        ],
      });
    }
    if (isResourcePermission(permission, RESOURCE_TYPE_APPLICATION_SET)) {
      return createArgocdFleetApplicationSetConditionalDecision(
        permission,
        argocdFleetApplicationSetConditions.isOwner({ claims }),
      );
    }
    // Names and labels of clusters, which a form for a Placement offers.
    if (isPermission(permission, argocdFleetClusterReadPermission)) {
      return ALLOW;
    }
    // Controllers, and the addresses and account names of hubs.
    return DENY;
  }
}

export default createBackendModule({
  pluginId: 'permission',
  moduleId: 'fleet-policy',
  register(env) {
    env.registerInit({
      deps: {
        policy: policyExtensionPoint,
        userInfo: coreServices.userInfo,
      },
      async init({ policy, userInfo }) {
        policy.setPolicy(new FleetPolicy(userInfo));
      },
    });
  },
});
