import {
  type KubernetesObject,
  type ManagedCluster,
  type ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import type {
  ApplicationSetFacts,
  ClusterFacts,
} from 'backstage-plugin-argocd-fleet-node';
import type { LinkedEntities } from '../catalog';
import { objectKey } from '../kubernetes/client';
import { clusterSetsOf } from '../model/placement';
import { recordedOwner, recordsOwner } from '../model/writes';
import type { ApiHub } from './apiHub';

/** The facts that permissions are decided by. */
export interface FleetFacts {
  /**
   * For reading: the owner that is recorded on the ApplicationSet, else, where configuration says so, those of the
   * entities that link to it. Of one that is gone, only its reference is known.
   */
  applicationSet(ref: ObjectRef): ApplicationSetFacts;
  /** The same of an ApplicationSet as it was. */
  formerApplicationSet(
    ref: ObjectRef,
    applicationSet: KubernetesObject,
  ): ApplicationSetFacts;
  cluster(hub: string, name: string): ClusterFacts;
}

interface HubFacts {
  readonly cache: Pick<ApiHub['cache'], 'applicationSets' | 'clusters'>;
  cluster(name: string, cluster: ManagedCluster): ClusterFacts;
}

/**
 * For writing: only the owner that is recorded on the object counts, so that nobody gets the object of another by an
 * entity of the catalog.
 */
export function recordedFacts(
  ref: ObjectRef,
  object: KubernetesObject,
): ApplicationSetFacts {
  const owner = recordedOwner(object);
  return {
    ref,
    owners: owner === undefined ? undefined : [owner],
    labels: object.metadata.labels ?? {},
  };
}

/** Creates the facts of all hubs. */
export function createFleetFacts(options: {
  readonly hubs: readonly Pick<ApiHub, 'name' | 'cache'>[];
  /** Undefined where links make nobody an owner. */
  readonly linkedEntities?: Pick<LinkedEntities, 'ownersOf'>;
}): FleetFacts {
  const { linkedEntities } = options;
  const hubs = new Map(
    options.hubs.map(({ name, cache }) => [name, createHubFacts(name, cache)]),
  );
  const recorded = new WeakMap<KubernetesObject, ApplicationSetFacts>();

  function readFacts(ref: ObjectRef, object: KubernetesObject) {
    let facts = recorded.get(object);
    if (!facts) {
      facts = recordedFacts(ref, object);
      recorded.set(object, facts);
    }
    return !linkedEntities || recordsOwner(object)
      ? facts
      : { ...facts, owners: linkedEntities.ownersOf(ref) };
  }

  return {
    applicationSet(ref) {
      const object = hubs
        .get(ref.hub)
        ?.cache.applicationSets.get(objectKey(ref));
      return object ? readFacts(ref, object) : { ref };
    },
    formerApplicationSet: readFacts,
    cluster(hub, name) {
      const facts = hubs.get(hub);
      const cluster = facts?.cache.clusters.get(name);
      return (
        (facts && cluster && facts.cluster(name, cluster)) ?? { hub, name }
      );
    },
  };
}

function createHubFacts(hub: string, cache: ApiHub['cache']): HubFacts {
  let made = new WeakMap<ManagedCluster, ClusterFacts>();
  let setsKnown = cache.isKnown('clusterSets');
  cache.onChange(({ resource }) => {
    if (resource === 'clusterSets') {
      made = new WeakMap();
    }
  });
  cache.onStateChange(() => {
    if (cache.isKnown('clusterSets') !== setsKnown) {
      setsKnown = !setsKnown;
      made = new WeakMap();
    }
  });
  return {
    cache,
    cluster(name, cluster) {
      let facts = made.get(cluster);
      if (!facts) {
        facts = {
          hub,
          name,
          labels: cluster.metadata.labels ?? {},
          ...(setsKnown && {
            clusterSets: clusterSetsOf(cluster, cache.clusterSets.list()),
          }),
        };
        made.set(cluster, facts);
      }
      return facts;
    },
  };
}
