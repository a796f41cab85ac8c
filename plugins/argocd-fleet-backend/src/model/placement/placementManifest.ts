import {
  COMPONENT_ANNOTATIONS,
  MANAGED_BY,
  MANAGED_BY_LABEL,
  type NamespacedName,
  type Placement,
  type PlacementSelection,
} from 'backstage-plugin-argocd-fleet-common';

/**
 * Taints that OCM sets on an unavailable cluster; always tolerated. Otherwise a cluster that does not report for some minutes
 * would leave the Placement, and its Applications and works would be deleted.
 * @see https://open-cluster-management.io/docs/concepts/content-placement/placement/#taints-and-tolerations
 */
export const TOLERATED_TAINTS: readonly string[] = [
  'cluster.open-cluster-management.io/unreachable',
  'cluster.open-cluster-management.io/unavailable',
];

type Spec = NonNullable<Placement['spec']>;
type Toleration = NonNullable<Spec['tolerations']>[number];
type ClusterSelector = NonNullable<
  NonNullable<Spec['predicates']>[number]['requiredClusterSelector']
>;

/**
 * The Placement that a request of the API describes. Without cluster sets it selects from all sets bound to its
 * namespace.
 */
export function placementManifest(
  ref: NamespacedName,
  body: PlacementSelection,
): Placement {
  const { clusterSets, numberOfClusters, owner, tolerations = [] } = body;
  const requiredClusterSelector = selectorOf(body);
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
      ...(requiredClusterSelector && {
        predicates: [{ requiredClusterSelector }],
      }),
      tolerations: [
        ...TOLERATED_TAINTS,
        ...tolerations.filter(taint => !TOLERATED_TAINTS.includes(taint)),
      ].map(tolerationOf),
    },
  };
}

function selectorOf({
  matchLabels = {},
  matchClaims = {},
}: PlacementSelection): ClusterSelector | undefined {
  const labels = Object.keys(matchLabels).length > 0;
  const claims = Object.entries(matchClaims);
  return labels || claims.length > 0
    ? {
        ...(labels && { labelSelector: { matchLabels: { ...matchLabels } } }),
        // Open Cluster Management has no shorter way to say it.
        ...(claims.length > 0 && {
          claimSelector: {
            matchExpressions: claims.map(([key, value]) => ({
              key,
              operator: 'In',
              values: [value],
            })),
          },
        }),
      }
    : undefined;
}

function tolerationOf(taint: string): Toleration {
  const end = taint.indexOf('=');
  return end < 0
    ? { key: taint, operator: 'Exists' }
    : {
        key: taint.slice(0, end),
        operator: 'Equal',
        value: taint.slice(end + 1),
      };
}

/** What a Placement selects, as far as a request can say it: it may say more than {@link placementManifest} writes. */
export function selectionOf({ spec = {} }: Placement): PlacementSelection {
  const { clusterSets, numberOfClusters, predicates = [] } = spec;
  const { labelSelector, claimSelector } =
    predicates[0]?.requiredClusterSelector ?? {};
  const { matchLabels } = labelSelector ?? {};
  const claims = (claimSelector?.matchExpressions ?? []).flatMap(
    ({ key, values: [value] = [] }) =>
      value === undefined ? [] : [[key, value] as const],
  );
  const tolerations = (spec.tolerations ?? [])
    .map(({ key = '', operator, value = '' }) =>
      operator === 'Exists' ? key : `${key}=${value}`,
    )
    .filter(taint => !TOLERATED_TAINTS.includes(taint));
  return {
    ...(clusterSets?.length && { clusterSets: [...clusterSets] }),
    ...(matchLabels && { matchLabels: { ...matchLabels } }),
    ...(claims.length > 0 && { matchClaims: Object.fromEntries(claims) }),
    ...(tolerations.length > 0 && { tolerations }),
    ...(numberOfClusters !== undefined && { numberOfClusters }),
  };
}
