import {
  isNamespaceName,
  isObjectName,
  repositoryProblem,
} from 'backstage-plugin-argocd-fleet-common';
import { normalizeOwner } from 'backstage-plugin-argocd-fleet-node';
import { z } from 'zod';
import { isSystemNamespace, type HubWrites } from '../model/writes';

/** A name that may end in `*`, which stands for any characters. */
function pattern(isName: (name: string) => boolean) {
  return z
    .string()
    .refine(
      text => text === '*' || isName(text.replace(/\*$/, 'x')),
      'must be a name; only its end may be *, which stands for any characters',
    );
}

const namespaceName = z
  .string()
  .refine(
    isNamespaceName,
    'must be the name of a namespace; a * is not allowed here, since the rights of deploy/rbac/portal-writes are granted namespace by namespace',
  );

/** Read as the entity reference in full. */
const owner = z.string().transform((text, context) => {
  const ref = normalizeOwner(text);
  if (ref === undefined || !/^(group|user):/.test(ref)) {
    context.addIssue({
      code: 'custom',
      message:
        'must be the entity reference of a group or user, like group:default/team-a',
    });
    return z.NEVER;
  }
  return ref;
});

const ALL = '*';

const grantSchema = z.strictObject({
  namespaces: z.array(namespaceName).min(1),
  owners: z.array(owner).min(1).optional(),
  projects: z.array(pattern(isObjectName)).min(1),
  repositories: z
    .array(
      z.string().check(({ value, issues }) => {
        const problem = repositoryProblem(value);
        if (problem) {
          issues.push({ code: 'custom', input: value, message: problem });
        }
      }),
    )
    .min(1),
  destinationNamespaces: z.array(pattern(isNamespaceName)).min(1),
  clusterSets: z
    .array(
      z
        .string()
        .refine(
          name => name === ALL || isObjectName(name),
          'must be the name of a ManagedClusterSet, or * for all that are bound to the namespace',
        ),
    )
    .min(1),
  clusterLabels: z.record(z.string().min(1), z.string()).default(() => ({})),
});

/** Schema of `argocdFleet.hubs[].writes`. */
export const writesSchema = z
  .array(grantSchema)
  .default([])
  .check(({ value: grants, issues }) => {
    const entryOf = new Map<string, number>();
    grants.forEach(({ namespaces }, index) => {
      for (const namespace of namespaces) {
        const other = entryOf.get(namespace);
        if (other !== undefined && other !== index) {
          issues.push({
            code: 'custom',
            input: grants,
            path: [index, 'namespaces'],
            message: `${namespace} is in entry ${other} too; a namespace may be in one entry only`,
          });
        }
        entryOf.set(namespace, index);
      }
    });
  });

type ParsedGrant = z.infer<typeof grantSchema>;

/** Namespaces that no grant may name; yields the path below `writes`, and the message. */
export function* systemNamespaceProblems(
  grants: readonly ParsedGrant[],
  argocdNamespace: string,
): Generator<[(string | number)[], string]> {
  for (const [index, grant] of grants.entries()) {
    for (const key of ['namespaces', 'destinationNamespaces'] as const) {
      for (const [position, name] of grant[key].entries()) {
        if (
          isSystemNamespace(name.replace(/\*$/, '')) &&
          name !== argocdNamespace
        ) {
          yield [
            [index, key, position],
            `${name} is never allowed: kube-*, openshift and openshift-* belong to Kubernetes and OpenShift. Only Argo CD's own namespace may be named (argocdFleet.propagation.argocdNamespace, now ${argocdNamespace})`,
          ];
        }
      }
    }
  }
}

/**
 * Completes grants that the schema accepts.
 * @param key - the path of their configuration, for messages
 */
export function readWriteGrants(
  grants: readonly ParsedGrant[],
  key: string,
): Pick<HubWrites, 'key' | 'grants'> {
  return {
    key,
    grants: grants.map(({ clusterSets, ...grant }, index) => ({
      ...grant,
      key: `${key}[${index}]`,
      ...(!clusterSets.includes(ALL) && { clusterSets }),
    })),
  };
}
