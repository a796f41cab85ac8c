import {
  PLACEMENT_GENERATOR,
  PLACEMENT_READER,
  type Finding,
} from 'backstage-plugin-argocd-fleet-common';
import { clusterSecretName } from '../../model/clusterimport';

/**
 * A key of the cluster import: kind, namespace and name.
 * - `Secret/<Argo CD namespace>/<cluster>`: the Secret by which an Argo CD knows a cluster
 * - `ConfigMap/<Argo CD namespace>`: the configuration of the PlacementDecision generator
 * - `Role/<Argo CD namespace>`: the right to read PlacementDecisions, and its binding
 * - `Namespace/<Argo CD namespace>`: removal of the Secrets that no GitOpsCluster wants
 * - `GitOpsCluster/<namespace>/<name>`: its status, which sums up what the other keys found
 */
export interface ImportKey {
  readonly kind:
    'Secret' | 'ConfigMap' | 'Role' | 'Namespace' | 'GitOpsCluster';
  readonly namespace: string;
  /** Empty where the namespace is enough. */
  readonly name: string;
}

export function parseImportKey(key: string): ImportKey {
  const [kind, namespace, name = ''] = key.split('/');
  return { kind: kind as ImportKey['kind'], namespace, name };
}

export function secretKey(argoNamespace: string, cluster: string): string {
  return `Secret/${argoNamespace}/${cluster}`;
}

/** The keys of what an Argo CD namespace needs beside the Secrets of its clusters. */
export function argoNamespaceKeys(argoNamespace: string): string[] {
  return [
    `ConfigMap/${argoNamespace}`,
    `Role/${argoNamespace}`,
    namespaceKey(argoNamespace),
  ];
}

export function namespaceKey(argoNamespace: string): string {
  return `Namespace/${argoNamespace}`;
}

export function gitOpsClusterKey({
  metadata,
}: {
  readonly metadata: { readonly namespace?: string; readonly name: string };
}): string {
  return `GitOpsCluster/${metadata.namespace}/${metadata.name}`;
}

/** The object that a key reconciles. */
export function objectOfImportKey(key: string): NonNullable<Finding['object']> {
  const { kind, namespace, name } = parseImportKey(key);
  switch (kind) {
    case 'Secret':
      return { kind, namespace, name: clusterSecretName(name) };
    case 'ConfigMap':
      return { kind, namespace, name: PLACEMENT_GENERATOR };
    case 'Role':
      return { kind, namespace, name: PLACEMENT_READER };
    case 'Namespace':
      return { kind, name: namespace };
    default:
      return { kind, namespace, name };
  }
}
