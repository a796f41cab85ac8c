import type { Entity } from '@backstage/catalog-model';
import {
  APPLICATION_SET_ENTITY_ANNOTATION,
  COMPONENT_ANNOTATIONS,
  type ApplicationSet,
  type Cluster,
  type DeliveryModel,
  formatApplicationSetAnnotation,
} from 'backstage-plugin-argocd-fleet-common';
import { componentEntities } from './componentEntities';
import { locationAnnotations, parseOwner } from './entityFields';
import { namespacedKey, type FleetInventory } from './fleetInventory';
import {
  applicationSetResourceName,
  clusterResourceName,
  clusterResourceRef,
} from './resourceNames';

/** The fleet as catalog entities, and the annotations that could not be used. */
export interface FleetEntities {
  readonly entities: readonly Entity[];
  /** One line for each problem: what is wrong, where, and what to do. */
  readonly problems: readonly string[];
}

const DELIVERED_BY: Record<DeliveryModel, string> = {
  pull: 'pulled by its clusters',
  push: "pushed by the hub's Argo CD",
  agent: 'delivered by argocd-agent',
};

/**
 * Builds a resource for every cluster and every ApplicationSet, and a component for every component name in the
 * annotations of ApplicationSets. Statuses are left out on purpose: they change all the time, and the Fleet tab shows
 * them live.
 */
export function fleetEntities(
  inventory: FleetInventory,
  defaultOwner: string,
): FleetEntities {
  // With one hub, titles are unambiguous without its name.
  const titleSuffix = (hub: string) =>
    inventory.hubs.size > 1 ? ` (${hub})` : '';
  const resources = [...inventory.hubs].flatMap(
    ([hub, { clusters, applicationSets }]) => {
      const clusterNames = clusterNamesBySet(clusters);
      return [
        ...clusters.map(cluster =>
          clusterEntity(cluster, titleSuffix(hub), defaultOwner),
        ),
        ...applicationSets.map(set =>
          applicationSetEntity(
            set,
            titleSuffix(hub),
            clusterNames.get(namespacedKey(set.ref)) ?? [],
            defaultOwner,
          ),
        ),
      ];
    },
  );
  const components = componentEntities(
    [...inventory.hubs.values()].flatMap(hub => hub.applicationSets),
    defaultOwner,
  );
  return {
    entities: [...resources, ...components.entities],
    problems: components.problems,
  };
}

function clusterEntity(
  { hub, name, isHub }: Cluster,
  titleSuffix: string,
  owner: string,
): Entity {
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Resource',
    metadata: {
      name: clusterResourceName(hub, name),
      title: `${name}${titleSuffix}`,
      description: isHub
        ? `The hub ${hub} itself, as one of its managed clusters`
        : `Managed cluster of the hub ${hub}`,
      annotations: locationAnnotations(`${hub}/${name}`),
    },
    spec: { type: 'kubernetes-cluster', owner },
  };
}

function applicationSetEntity(
  set: ApplicationSet,
  titleSuffix: string,
  clusterNames: readonly string[],
  defaultOwner: string,
): Entity {
  const { hub, namespace, name } = set.ref;
  const owner = set.annotations?.[COMPONENT_ANNOTATIONS.owner];
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Resource',
    metadata: {
      name: applicationSetResourceName(set.ref),
      title: `${name}${titleSuffix}`,
      description: `ApplicationSet ${namespace}/${name} of the hub ${hub}, ${
        DELIVERED_BY[set.deliveryModel]
      }`,
      annotations: {
        ...locationAnnotations(`${hub}/${namespace}/${name}`),
        [APPLICATION_SET_ENTITY_ANNOTATION]: formatApplicationSetAnnotation([
          set.ref,
        ]),
      },
    },
    spec: {
      type: 'argocd-applicationset',
      owner: (owner && parseOwner(owner)) || defaultOwner,
      dependsOn: clusterNames.map(cluster => clusterResourceRef(hub, cluster)),
    },
  };
}

/** Cluster names by ApplicationSet of one hub; sorted, so that an entity changes only when its clusters do. */
function clusterNamesBySet(
  clusters: readonly Cluster[],
): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const cluster of clusters) {
    for (const ref of cluster.applicationSets) {
      const key = namespacedKey(ref);
      const list = names.get(key);
      if (list) {
        list.push(cluster.name);
      } else {
        names.set(key, [cluster.name]);
      }
    }
  }
  return new Map([...names].map(([key, list]) => [key, list.sort()]));
}
