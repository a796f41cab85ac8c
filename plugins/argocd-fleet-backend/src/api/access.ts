import type {
  BackstageCredentials,
  PermissionsRegistryService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import { toError } from '@backstage/errors';
import {
  AuthorizeResult,
  isResourcePermission,
  type BasicPermission,
  type Permission,
  type PermissionCondition,
  type PermissionCriteria,
  type PolicyDecision,
  type ResourcePermission,
} from '@backstage/plugin-permission-common';
import {
  createConditionTransformer,
  isAndCriteria,
  isNotCriteria,
  isOrCriteria,
} from '@backstage/plugin-permission-node';
import {
  RESOURCE_TYPE_APPLICATION_SET,
  RESOURCE_TYPE_CLUSTER,
} from 'backstage-plugin-argocd-fleet-common';
import {
  argocdFleetApplicationSetResourceRef,
  argocdFleetClusterResourceRef,
  type ApplicationSetFacts,
  type ClusterFacts,
  type FactCondition,
} from 'backstage-plugin-argocd-fleet-node';

/** What the policy of the portal decided about one permission of one caller. */
export interface Decision<Facts> {
  /** Whether it is allowed without a condition. */
  readonly all: boolean;
  /** Whether it is allowed for a resource; what depends on an unknown fact is not. */
  allows(facts: Facts): boolean;
  /** Whether it would be allowed, or could be if more facts were known. */
  mightAllow(facts: Facts): boolean;
}

/** The facts that decide a permission. */
export type FactsOf<P extends Permission> =
  P extends ResourcePermission<typeof RESOURCE_TYPE_APPLICATION_SET>
    ? ApplicationSetFacts
    : P extends ResourcePermission<typeof RESOURCE_TYPE_CLUSTER>
      ? ClusterFacts
      : unknown;

/** A decision for each of the permissions, under their keys. */
export type Decisions<P extends Readonly<Record<string, Permission>>> = {
  readonly [Key in keyof P]: Decision<FactsOf<P[Key]>>;
};

/** Asks the policy of the portal what a caller may do. */
export interface Authorizer {
  /** @throws Error where the policy's conditions cannot be evaluated */
  decide<P extends Readonly<Record<string, Permission>>>(
    credentials: BackstageCredentials,
    permissions: P,
  ): Promise<Decisions<P>>;
}

/** Creates the authorizer. The resource types must be registered before its first decision. */
export function createAuthorizer(options: {
  readonly permissions: PermissionsService;
  readonly permissionsRegistry: PermissionsRegistryService;
}): Authorizer {
  const { permissions: service, permissionsRegistry } = options;

  /** Parameters of the conditions are checked and prepared once, not for each resource. */
  function conditionOf(
    { name, resourceType }: ResourcePermission,
    conditions: PermissionCriteria<PermissionCondition>,
  ): FactCondition<never> {
    try {
      return resourceType === RESOURCE_TYPE_CLUSTER
        ? compile(
            createConditionTransformer(
              permissionsRegistry.getPermissionRuleset(
                argocdFleetClusterResourceRef,
              ),
            )(conditions),
          )
        : compile(
            createConditionTransformer(
              permissionsRegistry.getPermissionRuleset(
                argocdFleetApplicationSetResourceRef,
              ),
            )(conditions),
          );
    } catch (error) {
      // Not the error itself: its status would be that of a wrong request.
      throw new Error(
        `The permission policy of this portal decides ${name} by conditions that cannot be evaluated: ${toError(error).message}`,
      );
    }
  }

  function decisionOf(
    permission: Permission,
    decision: PolicyDecision,
  ): Decision<never> {
    if (
      decision.result === AuthorizeResult.CONDITIONAL &&
      isResourcePermission(permission)
    ) {
      const condition = conditionOf(permission, decision.conditions);
      return {
        all: false,
        allows: facts => condition(facts) === true,
        mightAllow: facts => condition(facts) !== false,
      };
    }
    const all = decision.result === AuthorizeResult.ALLOW;
    return { all, allows: () => all, mightAllow: () => all };
  }

  return {
    async decide<P extends Readonly<Record<string, Permission>>>(
      credentials: BackstageCredentials,
      permissions: P,
    ) {
      const keys = Object.keys(permissions);
      const resourceKeys = keys.filter(key =>
        isResourcePermission(permissions[key]),
      );
      const basicKeys = keys.filter(key => !resourceKeys.includes(key));
      const [conditional, basic] = await Promise.all([
        resourceKeys.length > 0
          ? service.authorizeConditional(
              resourceKeys.map(key => ({
                permission: permissions[key] as ResourcePermission,
              })),
              { credentials },
            )
          : [],
        basicKeys.length > 0
          ? service.authorize(
              basicKeys.map(key => ({
                permission: permissions[key] as BasicPermission,
              })),
              { credentials },
            )
          : [],
      ]);
      const answers = new Map<string, PolicyDecision>([
        ...resourceKeys.map((key, index) => [key, conditional[index]] as const),
        ...basicKeys.map((key, index) => [key, basic[index]] as const),
      ]);
      return Object.fromEntries(
        keys.map(key => [key, decisionOf(permissions[key], answers.get(key)!)]),
      ) as Decisions<P>;
    },
  };
}

/** The criteria as one condition, in Kleene's logic: `undefined` is neither true nor false. */
function compile<Facts>(
  criteria: PermissionCriteria<FactCondition<Facts>>,
): FactCondition<Facts> {
  if (isAndCriteria(criteria)) {
    return every(criteria.allOf.map(compile));
  }
  if (isOrCriteria(criteria)) {
    return negate(every(criteria.anyOf.map(compile).map(negate)));
  }
  return isNotCriteria(criteria) ? negate(compile(criteria.not)) : criteria;
}

function negate<Facts>(condition: FactCondition<Facts>): FactCondition<Facts> {
  return facts => {
    const result = condition(facts);
    return result === undefined ? undefined : !result;
  };
}

function every<Facts>(
  conditions: readonly FactCondition<Facts>[],
): FactCondition<Facts> {
  return facts => {
    let result: boolean | undefined = true;
    for (const condition of conditions) {
      const one = condition(facts);
      if (one === false) {
        return false;
      }
      result &&= one;
    }
    return result;
  };
}
