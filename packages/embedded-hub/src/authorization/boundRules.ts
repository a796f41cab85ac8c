import { KubernetesObject } from '../api/kubernetesObject';
import { ObjectStore } from '../store/objectStore';
import { UserInfo } from './hubUser';
import { PolicyRule } from './policyRule';

export const RBAC_GROUP = 'rbac.authorization.k8s.io';

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** The role that a binding grants. */
export interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

/** A Role, ClusterRole or binding, with the fields that authorization uses. */
export type RbacObject = KubernetesObject & {
  readonly rules?: readonly PolicyRule[] | null;
  readonly subjects?: readonly Subject[] | null;
  readonly roleRef?: RoleRef;
};

/** The rules of a user, and errors for bindings whose role does not exist. */
export interface BoundRules {
  readonly rules: readonly PolicyRule[];
  readonly errors: readonly string[];
}

function objects(
  store: ObjectStore,
  plural: string,
  namespace = '',
): readonly RbacObject[] {
  return store.collection(`${RBAC_GROUP}/${plural}`).list(namespace);
}

/** The rules of a role; undefined when it does not exist. */
export function rulesOfRole(
  store: ObjectStore,
  { kind, name }: RoleRef,
  namespace: string,
): readonly PolicyRule[] | undefined {
  const isCluster = kind === 'ClusterRole';
  const role: RbacObject | undefined = store
    .collection(`${RBAC_GROUP}/${isCluster ? 'clusterroles' : 'roles'}`)
    .get(isCluster ? '' : namespace, name);
  return role && (role.rules ?? []);
}

function subjectMatches(subject: Subject, namespace: string, user: UserInfo) {
  switch (subject.kind) {
    case 'User':
      return subject.name === user.name;
    case 'Group':
      return user.groups.includes(subject.name);
    case 'ServiceAccount':
      return (
        user.name ===
        `system:serviceaccount:${subject.namespace ?? namespace}:${subject.name}`
      );
    default:
      return false;
  }
}

/** The rules that bindings grant a user in a namespace; an empty namespace means only those for the whole cluster. */
export function boundRules(
  store: ObjectStore,
  user: UserInfo,
  namespace: string,
): BoundRules {
  const rules: PolicyRule[] = [];
  const errors: string[] = [];
  const bindings = [
    ...objects(store, 'clusterrolebindings'),
    ...(namespace ? objects(store, 'rolebindings', namespace) : []),
  ];
  for (const { metadata, subjects, roleRef } of bindings) {
    const bindingNamespace = metadata.namespace ?? '';
    if (
      roleRef &&
      subjects?.some(each => subjectMatches(each, bindingNamespace, user))
    ) {
      const found = rulesOfRole(store, roleRef, bindingNamespace);
      if (found) {
        rules.push(...found);
      } else {
        errors.push(
          `${roleRef.kind.toLowerCase()}.${RBAC_GROUP} ${JSON.stringify(roleRef.name)} not found`,
        );
      }
    }
  }
  return { rules, errors };
}
