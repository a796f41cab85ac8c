import type {
  ManagedCluster,
  Placement,
  PlacementPreview,
} from 'backstage-plugin-argocd-fleet-common';
import { isMember, matchesLabels } from './clusterSetMembers';
import { boundSetsByNamespace, type PlacementInputs } from './placementOptions';

/** Names that a preview shows. */
const MAX_NAMES = 10;

/**
 * The clusters that a Placement would select now. Of its predicates and tolerations it considers what
 * `placementManifest` writes: labels, and taints that are tolerated for any time.
 * @see https://open-cluster-management.io/docs/concepts/content-placement/placement/
 */
export function previewPlacement(
  placement: Placement,
  inputs: PlacementInputs,
): PlacementPreview {
  const { namespace = '' } = placement.metadata;
  const { clusterSets: wanted = [], numberOfClusters } = placement.spec ?? {};
  const bound = boundSetsByNamespace(inputs).get(namespace) ?? new Set();
  const eligible = wanted.length > 0 ? wanted : [...bound];
  const clusterSets = eligible.filter(name => bound.has(name)).sort();
  const sets = inputs.clusterSets.filter(({ metadata }) =>
    clusterSets.includes(metadata.name),
  );
  const candidates = inputs.clusters.filter(
    cluster =>
      !cluster.metadata.deletionTimestamp &&
      sets.some(set => isMember(cluster, set)) &&
      matchesPredicates(cluster, placement),
  );
  const names = candidates
    .filter(cluster => isTolerated(cluster, placement))
    .map(({ metadata }) => metadata.name)
    .sort();
  return {
    clusterSets,
    unboundSets: wanted.filter(name => !bound.has(name)).sort(),
    clusters: names.slice(0, MAX_NAMES),
    longestName: names.reduce((most, { length }) => Math.max(most, length), 0),
    matching: names.length,
    selected: Math.min(names.length, numberOfClusters ?? names.length),
    tainted: candidates.length - names.length,
  };
}

function matchesPredicates(
  { metadata: { labels = {} } }: ManagedCluster,
  { spec: { predicates = [] } = {} }: Placement,
): boolean {
  return (
    predicates.length === 0 ||
    predicates.some(({ requiredClusterSelector }) =>
      matchesLabels(labels, requiredClusterSelector?.labelSelector ?? {}),
    )
  );
}

function isTolerated(
  { spec: { taints = [] } = {} }: ManagedCluster,
  { spec: { tolerations = [] } = {} }: Placement,
): boolean {
  return taints.every(
    taint =>
      // This effect only ranks clusters.
      taint.effect === 'PreferNoSelect' ||
      tolerations.some(
        ({ key, operator, value = '', effect }) =>
          (!key || key === taint.key) &&
          (!effect || effect === taint.effect) &&
          (operator === 'Exists' || value === (taint.value ?? '')),
      ),
  );
}
