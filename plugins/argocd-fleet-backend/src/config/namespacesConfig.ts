import {
  isNamespaceName,
  isObjectName,
} from 'backstage-plugin-argocd-fleet-common';
import { z } from 'zod';

export const namespaceName = z
  .string()
  .refine(isNamespaceName, 'must be the name of a namespace');

const ALL = '*';

/** A value for each of some namespaces of the hub; of a key that is none, the error says so. */
function byHubNamespace<T extends z.ZodType>(value: T) {
  return z.record(z.string(), value).check(({ value: byKey, issues }) => {
    for (const key of Object.keys(byKey)) {
      if (!isNamespaceName(key)) {
        issues.push({
          code: 'custom',
          input: byKey,
          path: [key],
          message: 'the key must be the name of a namespace of the hub',
        });
      }
    }
  });
}

/** Schema of `clusterImport.argocdNamespaces`, for all hubs or for one. */
export const argocdNamespacesSchema = byHubNamespace(
  z.array(z.union([namespaceName, z.literal(ALL)])),
);

/** Schema of `clusterImport.managedServiceAccounts`, for all hubs or for one. */
export const accountsSchema = byHubNamespace(
  z.array(
    z
      .string()
      .refine(
        name => name === ALL || isObjectName(name),
        'must be the name of a ManagedServiceAccount, or * for all',
      ),
  ),
);

/** Schema of `propagation.appNamespaces`, for all hubs or for one. */
export const appNamespacesSchema = byHubNamespace(
  z.array(namespaceName),
).transform(namespaces => new Map(Object.entries(namespaces)));
