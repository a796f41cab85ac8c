import {
  CLUSTER_SET_LABEL,
  ClusterPredicate,
  ManagedCluster,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  Placement,
} from '../kubernetes/clusterTypes';
import { matchesCluster, selectorError } from './clusterSelector';
import { matchesLabels } from './labelSelector';
import { tolerationError, toleratedForMs } from './tolerations';

/** The hub objects that decide a selection. */
export interface PlacementInputs {
  /** The bindings in the Placement's namespace. */
  bindings: readonly ManagedClusterSetBinding[];
  clusterSets: readonly ManagedClusterSet[];
  clusters: readonly ManagedCluster[];
  /** Names in the Placement's current decisions: they are kept if possible. */
  selected: ReadonlySet<string>;
  now: Date;
  /** Milliseconds of simulated time since a date; real time by default. */
  since?: (date: Date) => number;
}

/** The clusters that a Placement selects, and the inputs of its conditions. */
export interface ClusterSelection {
  /** Sorted by name. */
  clusterNames: string[];
  boundSets: string[];
  eligibleSets: string[];
  availableClusters: number;
  /** The number of clusters by which the selection is below `numberOfClusters`. */
  unscheduled: number;
  /** Milliseconds of simulated time until a toleration of a selected cluster expires. */
  expiresInMs?: number;
  /** The error in the Placement's own configuration. */
  error?: string;
}

/** Selects clusters as OCM's scheduler does with its default plugins, but without scores. */
export function selectClusters(
  placement: Placement,
  inputs: PlacementInputs,
): ClusterSelection {
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
  const counts = {
    boundSets,
    eligibleSets,
    availableClusters: available.length,
  };

  const error = placementError(placement);
  if (error) {
    return { ...counts, clusterNames: [], unscheduled: 0, error };
  }

  const since =
    inputs.since ?? ((date: Date) => inputs.now.getTime() - date.getTime());
  const toleratedFor = new Map(
    available
      .filter(cluster => matchesPredicates(cluster, spec.predicates ?? []))
      .map(cluster => [
        cluster.metadata.name,
        toleratedForMs(
          cluster,
          spec.tolerations ?? [],
          inputs.selected.has(cluster.metadata.name),
          since,
        ),
      ]),
  );
  const feasible = [...toleratedFor]
    .filter(([, ms]) => ms > 0)
    .map(([name]) => name)
    .sort();
  const expiry = (names: readonly string[]) => {
    const soonest = Math.min(
      ...names.map(name => toleratedFor.get(name) ?? Infinity),
    );
    return Number.isFinite(soonest) ? { expiresInMs: soonest } : {};
  };
  if (spec.numberOfClusters === undefined) {
    return {
      ...counts,
      clusterNames: feasible,
      unscheduled: 0,
      ...expiry(feasible),
    };
  }
  const selectedFirst = [
    ...feasible.filter(name => inputs.selected.has(name)),
    ...feasible.filter(name => !inputs.selected.has(name)),
  ];
  const chosen = selectedFirst.slice(0, spec.numberOfClusters).sort();
  return {
    ...counts,
    clusterNames: chosen,
    unscheduled: spec.numberOfClusters - chosen.length,
    ...expiry(chosen),
  };
}

function isMember(cluster: ManagedCluster, set: ManagedClusterSet): boolean {
  const labels = cluster.metadata.labels ?? {};
  const selector = set.spec?.clusterSelector;
  return selector?.selectorType === 'LabelSelector'
    ? matchesLabels(selector.labelSelector, labels)
    : labels[CLUSTER_SET_LABEL] === set.metadata.name;
}

/** A cluster must match one predicate; within a predicate it must match every selector. */
function matchesPredicates(
  cluster: ManagedCluster,
  predicates: readonly ClusterPredicate[],
): boolean {
  return (
    predicates.length === 0 ||
    predicates.some(({ requiredClusterSelector }) =>
      matchesCluster(requiredClusterSelector, cluster),
    )
  );
}

function placementError({ spec = {} }: Placement): string | undefined {
  const selectors = [
    ...(spec.predicates ?? []).map(
      ({ requiredClusterSelector }) => requiredClusterSelector,
    ),
    ...(spec.decisionStrategy?.groupStrategy?.decisionGroups ?? []).map(
      ({ groupClusterSelector }) => groupClusterSelector,
    ),
  ];
  return (
    tolerationError(spec.tolerations ?? []) ??
    selectors.map(selectorError).find(error => error !== undefined)
  );
}
