import {
  ClusterPredicate,
  ManagedCluster,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  Placement,
} from '../kubernetes/clusterTypes';
import { matchesExpressions, matchesLabels } from './labelSelector';
import { tolerationMistake, toleratesCluster } from './tolerations';

/** Everything that placement looks at, as the hub has it. */
export interface PlacementInputs {
  /** Those in the Placement's namespace. */
  bindings: readonly ManagedClusterSetBinding[];
  clusterSets: readonly ManagedClusterSet[];
  clusters: readonly ManagedCluster[];
  /** Names that the Placement's decisions hold now: they are kept where possible. */
  selected: ReadonlySet<string>;
  now: Date;
}

/** Which clusters a Placement selects, and what its conditions are made of. */
export interface Selection {
  /** Sorted by name. */
  clusterNames: string[];
  boundSets: string[];
  eligibleSets: string[];
  availableClusters: number;
  /** Clusters that were asked for and could not be found. */
  unscheduled: number;
  /** What is wrong with the Placement itself. */
  mistake?: string;
}

const CLUSTER_SET_LABEL = 'cluster.open-cluster-management.io/clusterset';

/** Selects clusters as OCM's scheduler does with its default plugins, scores aside. */
export function selectClusters(
  placement: Placement,
  inputs: PlacementInputs,
): Selection {
  const spec = placement.spec ?? {};
  const boundSets = inputs.bindings
    .map(({ metadata }) => metadata.name)
    .filter(name => inputs.clusterSets.some(set => set.metadata.name === name))
    .sort();
  const eligibleSets = spec.clusterSets?.length
    ? boundSets.filter(name => spec.clusterSets?.includes(name))
    : boundSets;
  const members = inputs.clusterSets.filter(({ metadata }) =>
    eligibleSets.includes(metadata.name),
  );
  const available = inputs.clusters.filter(
    cluster =>
      !cluster.metadata.deletionTimestamp &&
      members.some(set => isMember(cluster, set)),
  );
  const facts = {
    boundSets,
    eligibleSets,
    availableClusters: available.length,
  };

  const mistake =
    tolerationMistake(spec.tolerations ?? []) ??
    predicateMistake(spec.predicates ?? []);
  if (mistake) {
    return { ...facts, clusterNames: [], unscheduled: 0, mistake };
  }

  const feasible = available
    .filter(cluster => matchesPredicates(cluster, spec.predicates ?? []))
    .filter(cluster =>
      toleratesCluster(
        cluster,
        spec.tolerations ?? [],
        inputs.selected.has(cluster.metadata.name),
        inputs.now,
      ),
    )
    .map(({ metadata }) => metadata.name)
    .sort();
  if (spec.numberOfClusters === undefined) {
    return { ...facts, clusterNames: feasible, unscheduled: 0 };
  }
  const steady = [
    ...feasible.filter(name => inputs.selected.has(name)),
    ...feasible.filter(name => !inputs.selected.has(name)),
  ];
  const chosen = steady.slice(0, spec.numberOfClusters).sort();
  return {
    ...facts,
    clusterNames: chosen,
    unscheduled: spec.numberOfClusters - chosen.length,
  };
}

function isMember(cluster: ManagedCluster, set: ManagedClusterSet): boolean {
  const labels = cluster.metadata.labels ?? {};
  const selector = set.spec?.clusterSelector;
  return selector?.selectorType === 'LabelSelector'
    ? matchesLabels(selector.labelSelector, labels)
    : labels[CLUSTER_SET_LABEL] === set.metadata.name;
}

/** Predicates are alternatives; within one, every selector must match. */
function matchesPredicates(
  cluster: ManagedCluster,
  predicates: readonly ClusterPredicate[],
): boolean {
  if (predicates.length === 0) {
    return true;
  }
  const claims = Object.fromEntries(
    (cluster.status?.clusterClaims ?? []).map(({ name, value }) => [
      name,
      value,
    ]),
  );
  return predicates.some(({ requiredClusterSelector: selector }) => {
    return (
      matchesLabels(selector?.labelSelector, cluster.metadata.labels ?? {}) &&
      matchesExpressions(selector?.claimSelector?.matchExpressions, claims)
    );
  });
}

function predicateMistake(
  predicates: readonly ClusterPredicate[],
): string | undefined {
  for (const { requiredClusterSelector: selector } of predicates) {
    if (selector?.celSelector?.celExpressions?.length) {
      return 'celSelector is not simulated, use labelSelector or claimSelector';
    }
    try {
      matchesLabels(selector?.labelSelector, {});
      matchesExpressions(selector?.labelSelector?.matchExpressions, {});
      matchesExpressions(selector?.claimSelector?.matchExpressions, {});
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
  return undefined;
}
