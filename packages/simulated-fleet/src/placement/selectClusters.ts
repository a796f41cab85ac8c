import {
  ClusterPredicate,
  ManagedCluster,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  Placement,
} from '../kubernetes/clusterTypes';
import { matchesCluster, selectorMistake } from './clusterSelector';
import { matchesLabels } from './labelSelector';
import { tolerationMistake, toleratedForMs } from './tolerations';

/** Everything that placement looks at, as the hub has it. */
export interface PlacementInputs {
  /** Those in the Placement's namespace. */
  bindings: readonly ManagedClusterSetBinding[];
  clusterSets: readonly ManagedClusterSet[];
  clusters: readonly ManagedCluster[];
  /** Names that the Placement's decisions hold now: they are kept where possible. */
  selected: ReadonlySet<string>;
  now: Date;
  /** Milliseconds since a date, where time passes faster than by `now`. */
  since?: (date: Date) => number;
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
  /** Milliseconds of simulated time until a toleration of a selected cluster expires. */
  expiresInMs?: number;
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

  const mistake = placementMistake(placement);
  if (mistake) {
    return { ...facts, clusterNames: [], unscheduled: 0, mistake };
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
      ...facts,
      clusterNames: feasible,
      unscheduled: 0,
      ...expiry(feasible),
    };
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

/** Predicates are alternatives; within one, every selector must match. */
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

function placementMistake({ spec = {} }: Placement): string | undefined {
  const selectors = [
    ...(spec.predicates ?? []).map(
      ({ requiredClusterSelector }) => requiredClusterSelector,
    ),
    ...(spec.decisionStrategy?.groupStrategy?.decisionGroups ?? []).map(
      ({ groupClusterSelector }) => groupClusterSelector,
    ),
  ];
  return (
    tolerationMistake(spec.tolerations ?? []) ??
    selectors.map(selectorMistake).find(mistake => mistake !== undefined)
  );
}
