import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** A rule of a role. */
interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** An object of `deploy/rbac`. */
export interface DeployedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly Rule[];
}

/** One right, in the fields of a SelfSubjectAccessReview's `resourceAttributes`. */
export interface ResourceAttributes {
  readonly verb: string;
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

const FOLDER = join(__dirname, '../../../deploy/rbac');

function objectsIn(folder: string): DeployedObject[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.yaml'))
    .flatMap(name =>
      parseAllDocuments(readFileSync(join(folder, name), 'utf8')).map(
        document => document.toJS() as DeployedObject,
      ),
    );
}

/** All objects of `deploy/rbac` for an Argo CD namespace that the portal may write too; each comes after those that it needs. */
export function deployedObjects(argoNamespace: string): DeployedObject[] {
  const inNamespace = ['argocd-namespace', 'portal-writes']
    .flatMap(folder => objectsIn(join(FOLDER, folder)))
    .map(object => ({
      ...object,
      metadata: { ...object.metadata, namespace: argoNamespace },
    }));
  return [...objectsIn(FOLDER), ...inNamespace];
}

/** Roles that are bound in Argo CD namespaces only. */
const BOUND_IN_NAMESPACE = [
  'argocd-fleet-cluster-import-read',
  'argocd-fleet-cluster-import-write',
];

/** Every right that the roles grant. */
export function rightsOf(
  objects: readonly DeployedObject[],
  argoNamespace: string,
): ResourceAttributes[] {
  return objects.flatMap(({ kind, metadata, rules = [] }) =>
    rules.flatMap(({ apiGroups, resources, resourceNames, verbs }) =>
      apiGroups.flatMap(group =>
        resources.flatMap(each =>
          (resourceNames ?? ['']).flatMap(name =>
            verbs.map(verb => {
              const [resource, subresource = ''] = each.split('/');
              const namespace =
                kind === 'Role' || BOUND_IN_NAMESPACE.includes(metadata.name)
                  ? argoNamespace
                  : '';
              return { verb, group, resource, subresource, namespace, name };
            }),
          ),
        ),
      ),
    ),
  );
}
