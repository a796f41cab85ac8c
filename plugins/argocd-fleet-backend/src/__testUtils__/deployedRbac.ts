import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { parseAllDocuments } from 'yaml';
import type {
  KubernetesClient,
  ResourceType,
} from '../kubernetes/client/client';
import { isKubernetesError } from '../kubernetes/client/errors';

/** One rule of a ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** An object of `deploy/rbac`. */
export interface RbacObject extends KubernetesObject {
  readonly rules?: readonly PolicyRule[];
  readonly roleRef?: { readonly kind: string; readonly name: string };
}

const DEPLOY = resolve(__dirname, '../../../../deploy');
const FOLDER = join(DEPLOY, 'rbac');

/** User name of the service account of `deploy/rbac`. */
export const BACKEND_USER = 'system:serviceaccount:argocd-fleet:argocd-fleet';

/** The objects of `deploy/rbac`, or of its folder for Argo CD's namespaces. */
export function deployedRbac(folder = ''): RbacObject[] {
  const path = join(FOLDER, folder);
  return readdirSync(path)
    .filter(name => name.endsWith('.yaml'))
    .flatMap(name => objectsIn(join(path, name)));
}

/** The files of `deploy/` that `kubectl apply -k` applies, relative to it. */
export function appliedByDefault(): string[] {
  const [document] = parseAllDocuments(
    readFileSync(join(DEPLOY, 'kustomization.yaml'), 'utf8'),
  );
  return (document.toJS() as { resources: string[] }).resources;
}

/** The objects of `deploy/rbac` that `kubectl apply -k` applies. */
export function defaultRbac(): RbacObject[] {
  return appliedByDefault()
    .filter(file => file.startsWith('rbac/'))
    .flatMap(file => objectsIn(join(DEPLOY, file)));
}

function objectsIn(path: string): RbacObject[] {
  return parseAllDocuments(readFileSync(path, 'utf8')).map(
    document => document.toJS() as RbacObject,
  );
}

const PLURALS: Readonly<Record<string, string>> = {
  Namespace: 'namespaces',
  ServiceAccount: 'serviceaccounts',
  Role: 'roles',
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  RoleBinding: 'rolebindings',
};

/** Resource type of an object of `deploy/rbac`. */
export function rbacResource({ apiVersion, kind }: RbacObject): ResourceType {
  const [version, group = ''] = apiVersion.split('/').reverse();
  const namespaced = ['ServiceAccount', 'Role', 'RoleBinding'].includes(kind);
  return { group, version, plural: PLURALS[kind], kind, namespaced };
}

/** The objects of `deploy/rbac` with those for a namespace that the portal may write. */
export function deployedRbacWriting(namespace: string): RbacObject[] {
  return [
    ...deployedRbac(),
    ...deployedRbac('portal-writes').map(object => ({
      ...object,
      metadata: { ...object.metadata, namespace },
    })),
  ];
}

/** Creates objects as an administrator does; existing ones stay unchanged. */
export async function applyRbac(
  client: KubernetesClient,
  objects: readonly RbacObject[],
) {
  for (const object of objects) {
    await client.create(rbacResource(object), object).catch(error => {
      if (!isKubernetesError(error, 'alreadyExists')) {
        throw error;
      }
    });
  }
}

/** The objects that an administrator applies to a namespace of Argo CD for cluster import. */
export function deployedRbacFor(argoNamespace: string): RbacObject[] {
  return deployedRbac('argocd-namespace').map(object => ({
    ...object,
    metadata: { ...object.metadata, namespace: argoNamespace },
  }));
}

/** A verb that a role grants on a resource, or on one object of it. */
export interface Right {
  readonly role: string;
  readonly verb: string;
  readonly group: string;
  /** Including the subresource. */
  readonly resource: string;
  readonly objectName?: string;
}

/** Every right that the roles grant. */
export function rightsOf(objects: readonly RbacObject[]): Right[] {
  return objects.flatMap(({ metadata, rules = [] }) =>
    rules.flatMap(rule =>
      splitRule(rule).map(({ apiGroups, resources, resourceNames, verbs }) => ({
        role: metadata.name,
        verb: verbs[0],
        group: apiGroups[0],
        resource: resources[0],
        objectName: resourceNames?.[0],
      })),
    ),
  );
}

/** The objects without one right of one role. */
export function withoutRight(
  objects: readonly RbacObject[],
  right: Right,
): RbacObject[] {
  const isRight = ({
    apiGroups,
    resources,
    resourceNames,
    verbs,
  }: PolicyRule) =>
    apiGroups[0] === right.group &&
    resources[0] === right.resource &&
    resourceNames?.[0] === right.objectName &&
    verbs[0] === right.verb;
  return objects.map(object =>
    object.metadata.name === right.role && object.rules
      ? {
          ...object,
          rules: object.rules
            .flatMap(splitRule)
            .filter(single => !isRight(single)),
        }
      : object,
  );
}

function splitRule(rule: PolicyRule): PolicyRule[] {
  const names = rule.resourceNames ?? [undefined];
  return rule.verbs.flatMap(verb =>
    rule.apiGroups.flatMap(group =>
      rule.resources.flatMap(resource =>
        names.map(name => ({
          apiGroups: [group],
          resources: [resource],
          ...(name !== undefined && { resourceNames: [name] }),
          verbs: [verb],
        })),
      ),
    ),
  );
}
