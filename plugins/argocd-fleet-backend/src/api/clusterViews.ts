import type {
  Cluster,
  Finding,
  ManagedCluster,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import { endingWorks } from '../fleet';
import { clusterState, isLocalCluster } from '../model/delivery';
import { clusterFaults, clusterProblems, pastCluster } from '../model/views';
import type { ApiHub } from './apiHub';
import type { DeployedSets } from './deployedSets';

/** The clusters of one hub as lists show them. */
export interface ClusterViews {
  /** By name. */
  list(): readonly Cluster[];
  /** None where there is no such cluster. */
  findingsOf(name: string): readonly Finding[];
}

interface MadeView {
  readonly cluster: ManagedCluster;
  readonly applicationSets: readonly NamespacedName[];
  readonly view: Cluster;
}

/** Creates the views. Each is made again when its cluster or the ApplicationSets on it have changed; findings are made anew. */
export function createClusterViews(options: {
  readonly hub: Pick<ApiHub, 'name' | 'cache'>;
  readonly deployedSets: DeployedSets;
}): ClusterViews {
  const { hub, deployedSets } = options;
  const { cache } = hub;
  const made = new Map<string, MadeView>();
  cache.onChange(event => {
    if (event.resource === 'clusters' && !event.after) {
      made.delete(event.key);
    }
  });

  function viewOf(name: string): Cluster {
    const cluster = cache.clusters.get(name)!;
    const applicationSets = deployedSets.of(name);
    const known = made.get(name);
    if (
      known?.cluster === cluster &&
      known.applicationSets === applicationSets
    ) {
      return known.view;
    }
    const view: Cluster = {
      ...pastCluster(clusterState(name, cluster), Date.now()),
      hub: hub.name,
      version: cluster.status?.version?.kubernetes,
      isHub: isLocalCluster(cluster),
      createdAt: cluster.metadata.creationTimestamp,
      applicationSets: [...applicationSets],
      findings: [],
    };
    made.set(name, { cluster, applicationSets, view });
    return view;
  }

  /** Made at each call: mostly there is none, and they depend on works and Applications that come and go. */
  function findingsOf(name: string): Finding[] {
    if (!cache.clusters.get(name)) {
      return [];
    }
    const faulty = cache.works.by('faulty', name);
    const faults =
      faulty.length > 0
        ? clusterFaults(
            name,
            faulty,
            [...cache.applications.keysBy('pullTarget', name)].length,
          )
        : [];
    return [...faults, ...clusterProblems(name, endingWorks(cache, name))];
  }

  function withFindings(view: Cluster): Cluster {
    const findings = findingsOf(view.name);
    return findings.length > 0 ? { ...view, findings } : view;
  }

  return {
    list: () =>
      [...cache.clusters.keys()].sort().map(name => withFindings(viewOf(name))),
    findingsOf,
  };
}
