import {
  CLUSTER_SET_LABEL,
  type LabelSelector,
  type ManagedCluster,
  type ManagedClusterSet,
} from 'backstage-plugin-argocd-fleet-common';

/**
 * Whether the cluster is in the set.
 * @see https://open-cluster-management.io/docs/concepts/cluster-inventory/managedclusterset/
 */
export function isMember(
  { metadata: { labels = {} } }: ManagedCluster,
  set: ManagedClusterSet,
): boolean {
  const selector = set.spec?.clusterSelector;
  return selector?.selectorType === 'LabelSelector'
    ? selector.labelSelector !== undefined &&
        matchesLabels(labels, selector.labelSelector)
    : labels[CLUSTER_SET_LABEL] === set.metadata.name;
}

/** Whether labels match a selector; an empty one matches all. A selector with an unknown operator matches none. */
export function matchesLabels(
  labels: Readonly<Record<string, string>>,
  { matchLabels = {}, matchExpressions = [] }: LabelSelector,
): boolean {
  return (
    Object.entries(matchLabels).every(
      ([key, value]) => labels[key] === value,
    ) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      switch (operator) {
        case 'In':
          return value !== undefined && values.includes(value);
        case 'NotIn':
          return value === undefined || !values.includes(value);
        case 'Exists':
          return value !== undefined;
        case 'DoesNotExist':
          return value === undefined;
        default:
          return false;
      }
    })
  );
}

/** What the cluster reports of itself, by the names of its claims. */
export function claimsOf({ status }: ManagedCluster): Record<string, string> {
  return Object.fromEntries(
    (status?.clusterClaims ?? []).map(({ name, value = '' }) => [name, value]),
  );
}

/** Names of the sets that the cluster is in. */
export function clusterSetsOf(
  cluster: ManagedCluster,
  sets: Iterable<ManagedClusterSet>,
): string[] {
  const names: string[] = [];
  for (const set of sets) {
    if (isMember(cluster, set)) {
      names.push(set.metadata.name);
    }
  }
  return names;
}
