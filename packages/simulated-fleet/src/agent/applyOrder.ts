import { ResourceMeta } from '../kubernetes/workTypes';

const FIRST = [
  ['Namespace', 'CustomResourceDefinition', 'PriorityClass', 'StorageClass'],
  ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  ['ServiceAccount', 'ResourceQuota', 'LimitRange', 'NetworkPolicy'],
  ['Secret', 'ConfigMap', 'PersistentVolumeClaim'],
  ['Service'],
];

/** Manifests of a lower rank are applied first, so that what others need is there. */
export function applyRank({ kind }: ResourceMeta): number {
  const rank = FIRST.findIndex(kinds => kinds.includes(kind));
  return rank < 0 ? FIRST.length : rank;
}
