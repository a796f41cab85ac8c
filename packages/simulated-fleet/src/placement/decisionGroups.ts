import { GroupStrategy, ManagedCluster } from '../kubernetes/clusterTypes';
import { matchesCluster } from './clusterSelector';

/** Clusters that are decided together. */
export interface DecisionGroup {
  /** Empty for clusters of no group of the Placement. */
  name: string;
  clusterNames: readonly string[];
}

/**
 * Divides the selected clusters as a Placement's strategy asks for: those of
 * each named group first, then the rest, each in portions of the size of a
 * decision group. There is always one group, if need be an empty one.
 */
export function decisionGroups(
  selected: readonly ManagedCluster[],
  strategy: GroupStrategy | undefined,
): DecisionGroup[] {
  const size = groupSize(strategy?.clustersPerDecisionGroup, selected.length);
  let rest = [...selected];
  const groups: DecisionGroup[] = [];
  for (const {
    groupName = '',
    groupClusterSelector,
  } of strategy?.decisionGroups ?? []) {
    const members = rest.filter(cluster =>
      matchesCluster(groupClusterSelector, cluster),
    );
    rest = rest.filter(cluster => !members.includes(cluster));
    groups.push(...portions(groupName, members, size));
  }
  groups.push(...portions('', rest, size));
  return groups.length > 0 ? groups : [{ name: '', clusterNames: [] }];
}

function groupSize(
  perGroup: number | string | undefined,
  total: number,
): number {
  const percent = /^(\d+)%$/.exec(String(perGroup))?.[1];
  const size = percent
    ? Math.ceil((Number(percent) * total) / 100)
    : Number(perGroup);
  return size > 0 ? size : total;
}

function portions(
  name: string,
  clusters: readonly ManagedCluster[],
  size: number,
): DecisionGroup[] {
  const names = clusters.map(({ metadata }) => metadata.name).sort();
  return Array.from({ length: Math.ceil(names.length / size) }, (_, index) => ({
    name,
    clusterNames: names.slice(index * size, (index + 1) * size),
  }));
}
