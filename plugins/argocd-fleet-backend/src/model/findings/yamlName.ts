import { isNamespaceName } from 'backstage-plugin-argocd-fleet-common';

/** A namespace in YAML; quoted, since a name may look like a number. */
export function yamlName(namespace: string): string {
  return isNamespaceName(namespace) ? `'${namespace}'` : "'<name>'";
}
