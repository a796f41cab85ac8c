import { KubernetesObject } from '../api/kubernetesObject';
import { ObjectStore } from '../store/objectStore';
import { KnownUser } from './hubUser';
import { PolicyRule } from './policyRule';

export const RBAC_GROUP = 'rbac.authorization.k8s.io';

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** Which role a binding gives. */
export interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

/** A Role, ClusterRole or binding of one, as far as it decides anything. */
export type RbacObject = KubernetesObject & {
  readonly rules?: readonly PolicyRule[] | null;
  readonly subjects?: readonly Subject[] | null;
  readonly roleRef?: RoleRef;
};

/** The rules that somebody has, and which bindings lead nowhere. */
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

/** A role's rules; undefined where there is no such role. */
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

function isMeant(subject: Subject, namespace: string, user: KnownUser) {
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

/** The rules that bindings give a user in a namespace; those for the whole cluster alone with an empty one. */
export function boundRules(
  store: ObjectStore,
  user: KnownUser,
  namespace: string,
): BoundRules {
  const rules: PolicyRule[] = [];
  const errors: string[] = [];
  const bindings = [
    ...objects(store, 'clusterrolebindings'),
    ...(namespace ? objects(store, 'rolebindings', namespace) : []),
  ];
  for (const { metadata, subjects, roleRef } of bindings) {
    const within = metadata.namespace ?? '';
    if (roleRef && subjects?.some(each => isMeant(each, within, user))) {
      const found = rulesOfRole(store, roleRef, within);
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
