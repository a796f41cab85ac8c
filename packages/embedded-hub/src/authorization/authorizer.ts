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
import { authenticate, HubUser, KnownUser } from './hubUser';
import {
  PolicyRule,
  quotedList,
  rightsBeyond,
  ruleAllows,
  ruleText,
} from './policyRule';

/** Tells who sends a request and what they may. */
export interface Authorizer {
  /** What the sender of a request with this bearer token may. Throws 401 for a token that nobody has. */
  accessOf(token: string | undefined): Access;
}

/** May do everything, whatever roles there are, so that nobody locks themselves out. */
const SUPERUSERS = 'system:masters';

const ROLES = ['roles', 'clusterroles'];
const BINDINGS = ['rolebindings', 'clusterrolebindings'];

/** Decides by the roles and bindings in the store, as they are at each request. */
export function createAuthorizer(
  store: ObjectStore,
  tokens: Readonly<Record<string, HubUser>>,
): Authorizer {
  return {
    accessOf: token => accessOf(store, authenticate(tokens, token)),
  };
}

function accessOf(store: ObjectStore, user: KnownUser): Access {
  const isSuperuser = user.groups.includes(SUPERUSERS);

  function decide(wanted: ResourceAttributes | NonResourceAttributes) {
    if (isSuperuser) {
      return { allowed: true, errors: [] };
    }
    const namespace = 'path' in wanted ? '' : wanted.namespace;
    const { rules, errors } = boundRules(store, user, namespace);
    return { allowed: rules.some(rule => ruleAllows(rule, wanted)), errors };
  }

  function allows(wanted: ResourceAttributes | NonResourceAttributes): boolean {
    return decide(wanted).allowed;
  }

  return {
    user: user.name,
    allows,
    assertAllowed(wanted) {
      const { allowed, errors } = decide(wanted);
      if (!allowed) {
        throw refusal(user, wanted, errors);
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
          ...granted.unless,
          group: RBAC_GROUP,
          subresource: '',
          namespace,
        })
      ) {
        return;
      }
      const { rules } = boundRules(store, user, namespace);
      const beyond = rightsBeyond(rules, granted.rules);
      if (beyond.length > 0) {
        throw forbidden(
          resource,
          object.metadata.name ?? '',
          `user ${JSON.stringify(user.name)} (groups=${quotedList(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${beyond.map(ruleText).sort().join('\n')}`,
        );
      }
    },
  };
}

interface Grant {
  readonly rules: readonly PolicyRule[];
  /** The right that makes it lawful to grant what one does not have. */
  readonly unless: Pick<ResourceAttributes, 'verb' | 'resource' | 'name'>;
}

/** What a write of a role or binding gives somebody; undefined where it gives nothing that was not given before. */
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
          unless: {
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
  const unless = { verb: 'bind', resource, name: roleRef.name };
  if (!rules) {
    throw new ApiError(
      404,
      'NotFound',
      `${resource}.${RBAC_GROUP} ${JSON.stringify(roleRef.name)} not found`,
      { name: roleRef.name, group: RBAC_GROUP, kind: resource },
    );
  }
  return { rules, unless };
}

function same(one: unknown, other: unknown): boolean {
  return (
    other !== undefined &&
    JSON.stringify(one ?? []) === JSON.stringify(other ?? [])
  );
}

function refusal(
  user: KnownUser,
  wanted: ResourceAttributes | NonResourceAttributes,
  errors: readonly string[],
): ApiError {
  const who = `User ${JSON.stringify(user.name)} cannot ${wanted.verb}`;
  const because =
    errors.length > 0
      ? `: RBAC: ${errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`}`
      : '';
  if ('path' in wanted) {
    return new ApiError(
      403,
      'Forbidden',
      `forbidden: ${who} path ${JSON.stringify(wanted.path)}${because}`,
      {},
    );
  }
  const { group, resource, subresource, namespace, name } = wanted;
  const what = subresource ? `${resource}/${subresource}` : resource;
  const where = namespace
    ? `in the namespace ${JSON.stringify(namespace)}`
    : 'at the cluster scope';
  const object = name ? ` ${JSON.stringify(name)}` : '';
  return new ApiError(
    403,
    'Forbidden',
    `${qualifiedName(group, resource)}${object} is forbidden: ${who} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}${because}`,
    { ...(name ? { name } : {}), ...(group ? { group } : {}), kind: resource },
  );
}
