import { SimulatedCluster } from '../cluster/simulatedCluster';
import { searchItems } from './searchItems';
import { SearchItem } from './searchSchema';

/** The items of all clusters; recomputed only for clusters that changed. */
export function createSearchIndex(
  clusters: ReadonlyMap<string, SimulatedCluster>,
) {
  const known = new Map<string, SearchItem[]>();
  const changed = new Set(clusters.keys());
  for (const cluster of clusters.values()) {
    const markChanged = () => changed.add(cluster.name);
    cluster.store.onChange(() => {
      // Changes on an offline cluster do not reach the index.
      if (!cluster.faults.offline) {
        markChanged();
      }
    });
    cluster.onFaultsChange(before => {
      if (
        cluster.faults.offline &&
        !before.offline &&
        changed.has(cluster.name)
      ) {
        known.set(cluster.name, searchItems(cluster));
      }
      if (!cluster.faults.offline) {
        markChanged();
      }
    });
  }
  return {
    items(): SearchItem[] {
      for (const name of changed) {
        const cluster = clusters.get(name);
        if (cluster && (!cluster.faults.offline || !known.has(name))) {
          known.set(name, searchItems(cluster));
        }
      }
      changed.clear();
      return [...known.values()].flat();
    },
  };
}
