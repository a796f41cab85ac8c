import {
  isNamespaceName,
  isObjectName,
  type Finding,
} from 'backstage-plugin-argocd-fleet-common';
import { shellWord } from './shellWord';

/** Permissions that Argo CD's account on a cluster lacks. */
export interface DeniedPermissions {
  readonly cluster: string;
  readonly verb: string;
  /** Plural names of the resources. */
  readonly kinds: readonly string[];
  /** Where it lacks them; empty if that is, or may be, the whole cluster. */
  readonly namespaces: readonly string[];
  readonly account: { readonly namespace: string; readonly name: string };
  /** Whether the account is Argo CD's own, as far as is known: the fix offers permissions to no other account. */
  readonly trusted: boolean;
}

/** The namespaces as the end of a sentence. */
export function inNamespaces({ namespaces }: DeniedPermissions): string {
  return namespaces.length > 0
    ? ` in the ${plural(namespaces)} ${namespaces.join(', ')}`
    : '';
}

/** What to do about it; with a command only if that cannot grant permissions to another account. */
export function grantOf(denied: DeniedPermissions): Finding['fix'] {
  const { cluster, namespaces, account } = denied;
  const command = denied.trusted ? argoAdminWork(cluster, account) : undefined;
  if (!command) {
    return {
      description:
        'If Argo CD is meant to use this account, bind it on the cluster to a role that permits it.',
    };
  }
  const names = namespaces.map(shellWord).join(' ');
  const label = `kubectl --context ${cluster} label namespace ${names} argocd.argoproj.io/managed-by=${account.namespace}`;
  return {
    description: `Grant the permission with a ManifestWork, applied on the hub. It makes Argo CD cluster-admin${
      namespaces.length > 0
        ? `. If the OpenShift GitOps operator runs there, you can grant permissions in the ${plural(
            namespaces,
          )} only, with this command: ${label}`
        : ''
    }.`,
    command,
  };
}

function plural(namespaces: readonly string[]): string {
  return namespaces.length > 1 ? 'namespaces' : 'namespace';
}

/**
 * The product documentation's remedy: a work of its own, which none of our controllers ever changes. Undefined if a
 * name is illegal, because the names become YAML in a shell's input.
 */
function argoAdminWork(
  cluster: string,
  account: DeniedPermissions['account'],
): string | undefined {
  if (
    !isNamespaceName(cluster) ||
    !isNamespaceName(account.namespace) ||
    !isObjectName(account.name)
  ) {
    return undefined;
  }
  return `kubectl apply -f - <<'EOF'
apiVersion: work.open-cluster-management.io/v1
kind: ManifestWork
metadata:
  name: argo-admin
  namespace: ${cluster}
spec:
  workload:
    manifests:
      - apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata:
          name: argo-admin
        roleRef:
          apiGroup: rbac.authorization.k8s.io
          kind: ClusterRole
          name: cluster-admin
        subjects:
          - kind: ServiceAccount
            name: ${account.name}
            namespace: ${account.namespace}
EOF`;
}
