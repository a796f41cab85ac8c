import type {
  ClusterValues,
  ManagedCluster,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  NamespacedName,
  PlacementOptions,
} from 'backstage-plugin-argocd-fleet-common';
import { claimsOf, isMember } from './clusterSetMembers';
import { isLabelValue } from './labelSyntax';
import { TOLERATED_TAINTS } from './placementManifest';

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
    labels: valuesOf(clusters.map(({ metadata }) => metadata.labels ?? {})),
    claims: valuesOf(
      clusters.map(cluster =>
        Object.fromEntries(
          Object.entries(claimsOf(cluster)).filter(isSelectable),
        ),
      ),
    ),
    taints: taintsOf(clusters),
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

/** Open Cluster Management reads the values of a Placement's claims as those of labels. */
function isSelectable([, value]: readonly [string, string]): boolean {
  return isLabelValue(value);
}

/** Without those that are always tolerated: {@link TOLERATED_TAINTS}. */
function taintsOf(
  clusters: readonly ManagedCluster[],
): PlacementOptions['taints'] {
  const taints = clusters.flatMap(({ spec }) => [
    ...new Set(
      (spec?.taints ?? [])
        .filter(
          ({ key, effect }) =>
            effect !== 'PreferNoSelect' && !TOLERATED_TAINTS.includes(key),
        )
        .map(({ key, value }) => (value ? `${key}=${value}` : key)),
    ),
  ]);
  return mostFrequent(taints)
    .slice(0, MAX_VALUES)
    .map(({ value, ...rest }) => ({ taint: value, ...rest }));
}

/** The values that clusters have by each key. */
function valuesOf(
  clusters: readonly Readonly<Record<string, string>>[],
): ClusterValues[] {
  const byKey = new Map<string, string[]>();
  for (const cluster of clusters) {
    for (const [key, value] of Object.entries(cluster)) {
      const values = byKey.get(key);
      if (values) {
        values.push(value);
      } else {
        byKey.set(key, [value]);
      }
    }
  }
  return Array.from(byKey, ([key, found]) => {
    const values = mostFrequent(found);
    return {
      key,
      values: values.slice(0, MAX_VALUES),
      moreValues: Math.max(0, values.length - MAX_VALUES),
    };
  }).sort((a, b) => compare(a.key, b.key));
}

function mostFrequent(found: readonly string[]): ClusterValues['values'] {
  return Array.from(countBy(found), ([value, count]) => ({
    value,
    clusters: count,
  })).sort((a, b) => b.clusters - a.clusters || compare(a.value, b.value));
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
