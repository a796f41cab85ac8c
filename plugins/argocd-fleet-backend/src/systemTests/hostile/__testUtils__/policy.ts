import {
  coreServices,
  createServiceFactory,
  type BackendFeature,
  type BackstageCredentials,
  type PermissionsService,
} from '@backstage/backend-plugin-api';
import {
  AuthorizeResult,
  type Permission,
  type PolicyDecision,
} from '@backstage/plugin-permission-common';

import { setOf } from './decide';

/** A team as a portal's permission policy knows it. */
export interface Team {
  /** Entity reference of the user. */
  readonly user: string;
  /** Its namespace on the hub, which has a ManagedClusterSet of its own. */
  readonly namespace: string;
}

/** Everything that a team may do is bound to its namespace and to its set of clusters. */
function conditionsFor(permission: Permission, { namespace }: Team) {
  const resourceType =
    'resourceType' in permission ? String(permission.resourceType) : '';
  return resourceType === 'argocd-fleet-cluster'
    ? {
        rule: 'IN_CLUSTER_SET',
        resourceType,
        params: { clusterSets: [setOf(namespace)] },
      }
    : {
        rule: 'HAS_NAMESPACE',
        resourceType,
        params: { namespaces: [namespace] },
      };
}

/**
 * A policy by which each team sees and changes what is in its namespace, administrators everything, and every other
 * user nothing. Other plugins may do everything with their own credentials: Backstage's permissions service asks no
 * policy about them.
 * @param teams - as they are at the time of each decision
 */
export function policyOf(
  teams: readonly Team[],
  administrators: readonly string[],
): BackendFeature {
  function decisionFor(
    permission: Permission,
    { principal }: BackstageCredentials,
  ): PolicyDecision {
    const { type, userEntityRef: user = '' } = principal as {
      readonly type: string;
      readonly userEntityRef?: string;
    };
    if (type === 'service' || administrators.includes(user)) {
      return { result: AuthorizeResult.ALLOW };
    }
    const team = teams.find(it => it.user === user);
    return team && 'resourceType' in permission
      ? {
          result: AuthorizeResult.CONDITIONAL,
          pluginId: 'argocd-fleet',
          resourceType: String(permission.resourceType),
          conditions: conditionsFor(permission, team),
        }
      : { result: AuthorizeResult.DENY };
  }
  const service: PermissionsService = {
    async authorize(requests, { credentials }: any) {
      return requests.map(({ permission }) => {
        const { result } = decisionFor(permission, credentials);
        return {
          result:
            result === AuthorizeResult.CONDITIONAL
              ? AuthorizeResult.DENY
              : result,
        };
      });
    },
    async authorizeConditional(requests, { credentials }: any) {
      return requests.map(({ permission }) =>
        decisionFor(permission, credentials),
      );
    },
  };
  return createServiceFactory({
    service: coreServices.permissions,
    deps: {},
    factory: () => service,
  });
}
