import type { NamespacedName } from 'backstage-plugin-argocd-fleet-common';
import {
  applicationsOfChangedAgents,
  applicationsOn,
  changedAgents,
  knownAgents,
  placeChanged,
  type FleetCache,
} from '../fleet';
import { objectKey } from '../kubernetes/client';
import { clusterNameOf, owningApplicationSet } from '../model/delivery';

/** The ApplicationSets with an Application on each cluster of a hub. */
export interface DeployedSets {
  /** By name; the same list until an Application of the cluster appears, moves or is gone. */
  of(cluster: string): readonly NamespacedName[];
  /** Calls back with the name of a cluster whose list may have changed. */
  onChange(listener: (cluster: string) => void): void;
}

/** Creates the lists of one hub; each is made when it is read. */
export function createDeployedSets(cache: FleetCache): DeployedSets {
  const lists = new Map<string, readonly NamespacedName[]>();
  /** Thousands of clusters have the same ApplicationSets. */
  const refs = new Map<string, NamespacedName>();
  const listeners: ((cluster: string) => void)[] = [];

  const agents = knownAgents(cache);

  function changed(cluster: string) {
    lists.delete(cluster);
    listeners.forEach(listener => listener(cluster));
  }

  cache.onChange(event => {
    if (event.resource === 'clusterSecrets') {
      new Set([
        ...changedAgents(event),
        // The clusters that their destinations name, where they are without the agent.
        ...applicationsOfChangedAgents(event, cache).map(application =>
          clusterNameOf(application),
        ),
      ]).forEach(changed);
    }
    if (event.resource === 'applicationSets' && !event.after) {
      refs.delete(event.key);
    }
    if (event.resource !== 'applications' || !placeChanged(event)) {
      return;
    }
    for (const application of [event.before, event.after]) {
      if (application) {
        changed(clusterNameOf(application, agents));
      }
    }
  });

  function shared(key: string, ref: NamespacedName): NamespacedName {
    const known = refs.get(key);
    if (known) {
      return known;
    }
    if (cache.applicationSets.get(key)) {
      refs.set(key, ref);
    }
    return ref;
  }

  function listOf(cluster: string): readonly NamespacedName[] {
    const found = new Map<string, NamespacedName>();
    for (const application of applicationsOn(cluster, cache)) {
      const owner = owningApplicationSet(application);
      const key = owner && objectKey(owner);
      if (key && !found.has(key)) {
        found.set(key, shared(key, owner));
      }
    }
    return [...found]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, ref]) => ref);
  }

  return {
    of(cluster) {
      const list = lists.get(cluster) ?? listOf(cluster);
      // A cluster without ManagedCluster is in no answer.
      if (cache.clusters.get(cluster)) {
        lists.set(cluster, list);
      }
      return list;
    },
    onChange: listener => void listeners.push(listener),
  };
}
