import { GroupStrategy, ManagedCluster } from '../kubernetes/clusterTypes';
import { matchesCluster } from './clusterSelector';

/** A decision group of a Placement. */
export interface DecisionGroup {
  /** Empty for clusters outside of the Placement's named groups. */
  name: string;
  clusterNames: readonly string[];
}

/**
 * Divides the selected clusters into the groups of a Placement's strategy:
 * first the named groups, then the rest, each split at the size of a decision
 * group. Returns at least one group, which may be empty.
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
    groups.push(...groupsOfSize(size, groupName, members));
  }
  groups.push(...groupsOfSize(size, '', rest));
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

function groupsOfSize(
  size: number,
  name: string,
  clusters: readonly ManagedCluster[],
): DecisionGroup[] {
  const names = clusters.map(({ metadata }) => metadata.name).sort();
  return Array.from({ length: Math.ceil(names.length / size) }, (_, index) => ({
    name,
    clusterNames: names.slice(index * size, (index + 1) * size),
  }));
}
