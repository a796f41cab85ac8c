import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** A rule as it stands in a role. */
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

/** What somebody may do, as SelfSubjectAccessReview asks it. */
export interface Attributes {
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

/** All of `deploy/rbac`, with the namespace of an Argo CD, in the order in which one needs the other. */
export function deployedObjects(argoNamespace: string): DeployedObject[] {
  const inNamespace = objectsIn(join(FOLDER, 'argocd-namespace')).map(
    object => ({
      ...object,
      metadata: { ...object.metadata, namespace: argoNamespace },
    }),
  );
  return [...objectsIn(FOLDER), ...inNamespace];
}

/** The roles that are bound in namespaces of Argo CD only. */
const IN_NAMESPACE = [
  'argocd-fleet-cluster-import-read',
  'argocd-fleet-cluster-import-write',
];

/** Everything that the roles give. */
export function rightsOf(
  objects: readonly DeployedObject[],
  argoNamespace: string,
): Attributes[] {
  return objects.flatMap(({ metadata, rules = [] }) =>
    rules.flatMap(({ apiGroups, resources, resourceNames, verbs }) =>
      apiGroups.flatMap(group =>
        resources.flatMap(each =>
          (resourceNames ?? ['']).flatMap(name =>
            verbs.map(verb => {
              const [resource, subresource = ''] = each.split('/');
              const namespace = IN_NAMESPACE.includes(metadata.name)
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
