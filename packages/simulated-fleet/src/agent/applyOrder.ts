import { ResourceMeta } from '../kubernetes/workTypes';

const FIRST = [
  ['Namespace', 'CustomResourceDefinition', 'PriorityClass', 'StorageClass'],
  ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  ['ServiceAccount', 'ResourceQuota', 'LimitRange', 'NetworkPolicy'],
  ['Secret', 'ConfigMap', 'PersistentVolumeClaim'],
  ['Service'],
];

/** The agent applies manifests by ascending rank, so that their dependencies exist. */
export function applyRank({ kind }: ResourceMeta): number {
  const rank = FIRST.findIndex(kinds => kinds.includes(kind));
  return rank < 0 ? FIRST.length : rank;
}
