import {
  COMPONENT_ANNOTATIONS,
  MANAGED_BY,
  MANAGED_BY_LABEL,
  type NamespacedName,
  type Placement,
  type PlacementSelection,
} from 'backstage-plugin-argocd-fleet-common';

/**
 * Taints that OCM sets on an unavailable cluster. Without these tolerations, a cluster that does not report for some
 * minutes would leave the Placement, and its Applications and works would be deleted.
 * @see https://open-cluster-management.io/docs/concepts/content-placement/placement/#taints-and-tolerations
 */
const AVAILABILITY_TAINTS = [
  'cluster.open-cluster-management.io/unreachable',
  'cluster.open-cluster-management.io/unavailable',
];

/**
 * The Placement that a request of the API describes. Without cluster sets it selects from all sets bound to its
 * namespace.
 */
export function placementManifest(
  ref: NamespacedName,
  body: PlacementSelection,
): Placement {
  const { clusterSets, matchLabels, numberOfClusters, owner } = body;
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'Placement',
    metadata: {
      name: ref.name,
      namespace: ref.namespace,
      labels: { [MANAGED_BY_LABEL]: MANAGED_BY },
      ...(owner && { annotations: { [COMPONENT_ANNOTATIONS.owner]: owner } }),
    },
    spec: {
      ...(clusterSets?.length && { clusterSets: [...clusterSets] }),
      ...(numberOfClusters !== undefined && { numberOfClusters }),
      ...(matchLabels &&
        Object.keys(matchLabels).length > 0 && {
          predicates: [
            {
              requiredClusterSelector: {
                labelSelector: { matchLabels: { ...matchLabels } },
              },
            },
          ],
        }),
      tolerations: AVAILABILITY_TAINTS.map(key => ({
        key,
        operator: 'Exists',
      })),
    },
  };
}

/** What a Placement selects, as far as a request can say it: it may say more than {@link placementManifest} writes. */
export function selectionOf({ spec = {} }: Placement): PlacementSelection {
  const { clusterSets, numberOfClusters, predicates = [] } = spec;
  const { matchLabels } =
    predicates[0]?.requiredClusterSelector?.labelSelector ?? {};
  return {
    ...(clusterSets?.length && { clusterSets: [...clusterSets] }),
    ...(matchLabels && { matchLabels: { ...matchLabels } }),
    ...(numberOfClusters !== undefined && { numberOfClusters }),
  };
}
