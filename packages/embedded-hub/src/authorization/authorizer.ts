import { qualifiedName } from 'apimachinery';
import {
  Access,
  NonResourceAttributes,
  ResourceAttributes,
} from '../api/access';
import { ApiError, forbidden } from '../api/statusErrors';
import { ObjectStore } from '../store/objectStore';
import {
  boundRules,
  RBAC_GROUP,
  RbacObject,
  RoleRef,
  rulesOfRole,
} from './boundRules';
import { authenticate, HubUser, UserInfo } from './hubUser';
import {
  PolicyRule,
  quotedList,
  rulesNotCovered,
  ruleAllows,
  ruleText,
} from './policyRule';

/** Authenticates and authorizes requests. */
export interface Authorizer {
  /** The user with this bearer token, anonymous without one. @throws ApiError 401 for an unknown token. */
  accessOf(token: string | undefined): Access;
}

/** This group may do everything, whatever roles exist, so that a hub always has an administrator. */
const SUPERUSERS = 'system:masters';

const ROLES = ['roles', 'clusterroles'];
const BINDINGS = ['rolebindings', 'clusterrolebindings'];

/** Authorizes by the roles and bindings in the store at the time of each request. */
export function createAuthorizer(
  store: ObjectStore,
  tokens: Readonly<Record<string, HubUser>>,
): Authorizer {
  return {
    accessOf: token => accessOf(store, authenticate(tokens, token)),
  };
}

function accessOf(store: ObjectStore, user: UserInfo): Access {
  const isSuperuser = user.groups.includes(SUPERUSERS);

  function decide(attributes: ResourceAttributes | NonResourceAttributes) {
    if (isSuperuser) {
      return { allowed: true, errors: [] };
    }
    const namespace = 'path' in attributes ? '' : attributes.namespace;
    const { rules, errors } = boundRules(store, user, namespace);
    return {
      allowed: rules.some(rule => ruleAllows(rule, attributes)),
      errors,
    };
  }

  function allows(
    attributes: ResourceAttributes | NonResourceAttributes,
  ): boolean {
    return decide(attributes).allowed;
  }

  return {
    user: user.name,
    allows,
    assertAllowed(attributes) {
      const { allowed, errors } = decide(attributes);
      if (!allowed) {
        throw forbiddenError(user, attributes, errors);
      }
    },
    assertMayGrant(resource, object, old) {
      if (resource.group !== RBAC_GROUP || isSuperuser) {
        return;
      }
      const granted = grantOf(store, resource.plural, object, old);
      const namespace = object.metadata.namespace ?? '';
      if (
        !granted ||
        allows({
          ...granted.allowedBy,
          group: RBAC_GROUP,
          subresource: '',
          namespace,
        })
      ) {
        return;
      }
      const { rules } = boundRules(store, user, namespace);
      const missing = rulesNotCovered(rules, granted.rules);
      if (missing.length > 0) {
        throw forbidden(
          resource,
          object.metadata.name ?? '',
          `user ${JSON.stringify(user.name)} (groups=${quotedList(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${missing.map(ruleText).sort().join('\n')}`,
        );
      }
    },
  };
}

interface Grant {
  readonly rules: readonly PolicyRule[];
  /** The right that allows granting these rules without having them. */
  readonly allowedBy: Pick<ResourceAttributes, 'verb' | 'resource' | 'name'>;
}

/** The rules that a write of a role or binding grants; undefined when it grants no more than before. */
function grantOf(
  store: ObjectStore,
  plural: string,
  object: RbacObject,
  old: RbacObject | undefined,
): Grant | undefined {
  const { metadata, rules, roleRef, subjects } = object;
  if (ROLES.includes(plural)) {
    return same(rules, old?.rules)
      ? undefined
      : {
          rules: rules ?? [],
          allowedBy: {
            verb: 'escalate',
            resource: plural,
            name: metadata.name ?? '',
          },
        };
  }
  if (!BINDINGS.includes(plural) || !roleRef || same(subjects, old?.subjects)) {
    return undefined;
  }
  return bindingGrant(store, roleRef, metadata.namespace ?? '');
}

function bindingGrant(
  store: ObjectStore,
  roleRef: RoleRef,
  namespace: string,
): Grant {
  const resource = roleRef.kind === 'ClusterRole' ? 'clusterroles' : 'roles';
  const rules = rulesOfRole(store, roleRef, namespace);
  const allowedBy = { verb: 'bind', resource, name: roleRef.name };
  if (!rules) {
    throw new ApiError(
      404,
      'NotFound',
      `${resource}.${RBAC_GROUP} ${JSON.stringify(roleRef.name)} not found`,
      { name: roleRef.name, group: RBAC_GROUP, kind: resource },
    );
  }
  return { rules, allowedBy };
}

function same(one: unknown, other: unknown): boolean {
  return (
    other !== undefined &&
    JSON.stringify(one ?? []) === JSON.stringify(other ?? [])
  );
}

function forbiddenError(
  user: UserInfo,
  attributes: ResourceAttributes | NonResourceAttributes,
  errors: readonly string[],
): ApiError {
  const userCannot = `User ${JSON.stringify(user.name)} cannot ${attributes.verb}`;
  const reasons =
    errors.length > 0
      ? `: RBAC: ${errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`}`
      : '';
  if ('path' in attributes) {
    return new ApiError(
      403,
      'Forbidden',
      `forbidden: ${userCannot} path ${JSON.stringify(attributes.path)}${reasons}`,
      {},
    );
  }
  const { group, resource, subresource, namespace, name } = attributes;
  const fullResource = subresource ? `${resource}/${subresource}` : resource;
  const scope = namespace
    ? `in the namespace ${JSON.stringify(namespace)}`
    : 'at the cluster scope';
  const object = name ? ` ${JSON.stringify(name)}` : '';
  return new ApiError(
    403,
    'Forbidden',
    `${qualifiedName(group, resource)}${object} is forbidden: ${userCannot} resource ${JSON.stringify(fullResource)} in API group ${JSON.stringify(group)} ${scope}${reasons}`,
    { ...(name ? { name } : {}), ...(group ? { group } : {}), kind: resource },
  );
}
