import {
  isNamespaceName,
  isObjectName,
  type Finding,
} from 'backstage-plugin-argocd-fleet-common';
import { isSystemNamespace } from '../writes';

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

/**
 * What to do about it, the narrowest grant first and cluster-admin last. There are commands only if they cannot grant
 * permissions to another account, and only with legal names, because the names become YAML in a shell's input.
 */
export function grantOf(denied: DeniedPermissions): Finding['fix'] {
  const { cluster, namespaces, account, trusted } = denied;
  const isLegal =
    isObjectName(account.name) &&
    [cluster, account.namespace, ...namespaces].every(isNamespaceName);
  if (!trusted || !isLegal) {
    return {
      description:
        'If Argo CD is meant to use this account, bind it on the cluster to a role that permits it. There are commands for this only where it is Argo CD’s application controller in the namespace argocdFleet.propagation.argocdNamespace.',
    };
  }
  const system = namespaces.filter(isSystemNamespace);
  if (system.length > 0) {
    return {
      description: `There is no command for this: whoever manages everything in the ${plural(system)} ${system.join(', ')} of Kubernetes or OpenShift has rights over the whole cluster. Let the Application deploy into a namespace of its own, or have the cluster’s administrator bind Argo CD’s account to a role that permits just these resources.`,
    };
  }
  const clusterAdmin = {
    description: `The product documentation’s remedy: applied on the hub, this ManifestWork makes Argo CD cluster-admin of the whole cluster ${cluster}. It may then read every Secret and change everything there, and so may whoever can have it sync:`,
    command: apply([clusterAdminWork(denied)]),
  };
  if (namespaces.length === 0) {
    return {
      description: `No permission in a namespace covers this. Bind Argo CD’s account on ${cluster} to a ClusterRole that permits just these resources, or keep them out of the Application.`,
      alternatives: [clusterAdmin],
    };
  }
  const these = plural(namespaces);
  const names = namespaces.join(' ');
  return {
    description: `Let Argo CD manage everything${inNamespaces(denied)}, and nothing elsewhere. Applied on the hub, ${
      namespaces.length > 1
        ? 'these ManifestWorks grant that'
        : 'this ManifestWork grants that'
    }:`,
    command: apply(
      namespaces.map(namespace => namespaceWork(denied, namespace)),
    ),
    alternatives: [
      {
        description: `If the OpenShift GitOps operator runs on ${cluster}, a label on the ${these} has it grant the same:`,
        command: `kubectl --context ${cluster} label namespace ${names} argocd.argoproj.io/managed-by=${account.namespace}`,
      },
      clusterAdmin,
    ],
  };
}

function plural(namespaces: readonly string[]): string {
  return namespaces.length > 1 ? 'namespaces' : 'namespace';
}

function apply(objects: readonly string[]): string {
  return `kubectl apply -f - <<'EOF'\n${objects.join('\n---\n')}\nEOF`;
}

/**
 * A work for one namespace, so that the grant for another namespace never replaces it. The role permits what the label
 * of the OpenShift GitOps operator permits: with less, Argo CD would be denied the next kind of resource.
 */
function namespaceWork(
  { cluster, account }: DeniedPermissions,
  namespace: string,
): string {
  const role = `argo-admin-${account.namespace}`;
  return `apiVersion: work.open-cluster-management.io/v1
kind: ManifestWork
metadata:
  name: ${role}.${namespace}
  namespace: ${cluster}
spec:
  workload:
    manifests:
      - apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata:
          name: ${role}
          namespace: ${namespace}
        rules:
          - apiGroups: ["*"]
            resources: ["*"]
            verbs: ["*"]
      - apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata:
          name: ${role}
          namespace: ${namespace}
        roleRef:
          apiGroup: rbac.authorization.k8s.io
          kind: Role
          name: ${role}
        subjects:
          - kind: ServiceAccount
            name: ${account.name}
            namespace: ${account.namespace}`;
}

/** The product documentation's remedy: a work of its own, which none of our controllers ever changes. */
function clusterAdminWork({ cluster, account }: DeniedPermissions): string {
  return `apiVersion: work.open-cluster-management.io/v1
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
            namespace: ${account.namespace}`;
}
