import type {
  ManagedCluster,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  NamespacedName,
  PlacementOptions,
} from 'backstage-plugin-argocd-fleet-common';
import { isMember } from './clusterSetMembers';

/** The objects of a hub that decide what a Placement can select. */
export interface PlacementInputs {
  readonly clusters: readonly ManagedCluster[];
  readonly clusterSets: readonly ManagedClusterSet[];
  readonly bindings: readonly ManagedClusterSetBinding[];
}

/** A label such as a cluster's id has another value on each cluster: nobody chooses among thousands of them. */
const MAX_VALUES = 50;

/** What the hub itself makes possible, whoever may write it. */
type HubOptions = Omit<PlacementOptions, 'namespaces' | 'emptyReason'> & {
  readonly namespaces: readonly Pick<
    PlacementOptions['namespaces'][number],
    'name' | 'clusterSets' | 'applicationSets'
  >[];
};

/** What a Placement on one hub can be made of. */
export function placementOptions(
  hub: string,
  inputs: PlacementInputs,
  applicationSets: readonly Pick<NamespacedName, 'namespace'>[],
): HubOptions {
  const { clusters, clusterSets } = inputs;
  return {
    hub,
    namespaces: namespacesOf(inputs, applicationSets),
    clusterSets: clusterSets
      .map(set => ({
        name: set.metadata.name,
        clusters: clusters.filter(cluster => isMember(cluster, set)).length,
      }))
      .sort((a, b) => compare(a.name, b.name)),
    labels: labelsOf(clusters),
  };
}

/**
 * The set that a binding binds; undefined where the binding is of no effect: Open Cluster Management takes the set of
 * the binding's own name, and whoever may create that name was checked for it.
 * @see https://open-cluster-management.io/docs/concepts/cluster-inventory/managedclusterset/
 */
export function boundSetName({
  metadata,
  spec,
}: ManagedClusterSetBinding): string | undefined {
  return spec?.clusterSet === metadata.name ? metadata.name : undefined;
}

/** Names of the sets that are bound to each namespace. A binding of a set that does not exist counts for nothing. */
export function boundSetsByNamespace({
  bindings,
  clusterSets,
}: PlacementInputs): ReadonlyMap<string, ReadonlySet<string>> {
  const existing = new Set(clusterSets.map(({ metadata }) => metadata.name));
  const bound = new Map<string, Set<string>>();
  for (const binding of bindings) {
    const set = boundSetName(binding);
    if (set !== undefined && existing.has(set)) {
      const { namespace = '' } = binding.metadata;
      bound.set(namespace, (bound.get(namespace) ?? new Set()).add(set));
    }
  }
  return bound;
}

function namespacesOf(
  inputs: PlacementInputs,
  applicationSets: readonly Pick<NamespacedName, 'namespace'>[],
): HubOptions['namespaces'] {
  const counts = countBy(applicationSets.map(({ namespace }) => namespace));
  return Array.from(boundSetsByNamespace(inputs), ([name, sets]) => ({
    name,
    clusterSets: [...sets].sort(),
    applicationSets: counts.get(name) ?? 0,
  })).sort(
    (a, b) => b.applicationSets - a.applicationSets || compare(a.name, b.name),
  );
}

function labelsOf(
  clusters: readonly ManagedCluster[],
): PlacementOptions['labels'] {
  const valuesOf = new Map<string, string[]>();
  for (const { metadata } of clusters) {
    for (const [key, value] of Object.entries(metadata.labels ?? {})) {
      const values = valuesOf.get(key);
      if (values) {
        values.push(value);
      } else {
        valuesOf.set(key, [value]);
      }
    }
  }
  return Array.from(valuesOf, ([key, found]) => {
    const values = Array.from(countBy(found), ([value, count]) => ({
      value,
      clusters: count,
    })).sort((a, b) => b.clusters - a.clusters || compare(a.value, b.value));
    return {
      key,
      values: values.slice(0, MAX_VALUES),
      moreValues: Math.max(0, values.length - MAX_VALUES),
    };
  }).sort((a, b) => compare(a.key, b.key));
}

function countBy(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
