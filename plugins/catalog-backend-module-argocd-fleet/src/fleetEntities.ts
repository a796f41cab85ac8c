import type { Entity } from '@backstage/catalog-model';
import {
  APPLICATION_SET_ENTITY_ANNOTATION,
  APPLICATION_SET_RESOURCE_TYPE,
  CLUSTER_RESOURCE_TYPE,
  COMPONENT_ANNOTATIONS,
  type CatalogFields,
  type DeliveryModel,
  type InventoryApplicationSet,
  type InventoryCluster,
  formatApplicationSetAnnotation,
} from 'backstage-plugin-argocd-fleet-common';
import { componentEntities, definedComponents } from './componentEntities';
import {
  locationAnnotations,
  mappedParts,
  parseOwner,
  repositoryUrl,
} from './entityFields';
import {
  namespacedKey,
  type ChangedObjects,
  type FleetInventory,
} from './fleetInventory';
import {
  applicationSetResourceName,
  applicationSetResourceRef,
  clusterResourceName,
  clusterResourceRef,
} from 'backstage-plugin-argocd-fleet-node';

type FieldLink = NonNullable<CatalogFields['links']>[number];

/** What entities need besides the inventory. */
export interface EntityOptions {
  /** Entity reference of the owner of clusters, and of ApplicationSets that name no owner. */
  readonly defaultOwner: string;
  /** URL of the portal; undefined where it is not configured. */
  readonly appUrl?: string;
}

/** The fleet as catalog entities, and the annotations that could not be used. */
export interface FleetEntities {
  readonly entities: readonly Entity[];
  /** One line for each problem: what is wrong, where, and what to do. */
  readonly problems: readonly string[];
}

/**
 * The resource of an ApplicationSet with more has no relations to its clusters: the catalog processes all relations of an
 * entity again and again without yielding, which blocks the event loop.
 */
const MAX_RELATIONS = 500;

const DELIVERED_BY: Record<DeliveryModel, string> = {
  pull: 'pulled by its clusters',
  push: "pushed by the hub's Argo CD",
  agent: 'delivered by argocd-agent',
};

/**
 * Builds a resource for every cluster and every ApplicationSet. Statuses are left out on purpose: they change all the
 * time, and the Fleet tab shows them live.
 */
export function fleetResources(
  inventory: FleetInventory,
  options: EntityOptions,
): Entity[] {
  return changedResources(
    inventory,
    {
      clusters: [...inventory.hubs.values()].flatMap(hub => [
        ...hub.clusters.values(),
      ]),
      applicationSets: [...inventory.hubs.values()].flatMap(hub =>
        Array.from(hub.applicationSets.values(), ({ ref }) => ref),
      ),
    },
    options,
  ).entities;
}

/** The resources of these objects, and the references of those that are gone. */
export function changedResources(
  inventory: FleetInventory,
  changed: ChangedObjects,
  options: EntityOptions,
): { readonly entities: Entity[]; readonly removed: string[] } {
  const entities: Entity[] = [];
  const removed: string[] = [];
  for (const { hub, name } of changed.clusters) {
    const cluster = inventory.hubs.get(hub)?.clusters.get(name);
    if (cluster) {
      const suffix = titleSuffixOf(inventory, hub);
      entities.push(clusterEntity(cluster, suffix, options));
    } else {
      removed.push(clusterResourceRef(hub, name));
    }
  }
  const clusterNames = new Map(
    Array.from(new Set(changed.applicationSets.map(({ hub }) => hub)), hub => [
      hub,
      clusterNamesBySet(inventory.hubs.get(hub)?.clusters.values() ?? []),
    ]),
  );
  for (const ref of changed.applicationSets) {
    const key = namespacedKey(ref);
    const set = inventory.hubs.get(ref.hub)?.applicationSets.get(key);
    if (set) {
      entities.push(
        applicationSetEntity(
          set,
          titleSuffixOf(inventory, ref.hub),
          clusterNames.get(ref.hub)?.get(key) ?? [],
          options,
        ),
      );
    } else {
      removed.push(applicationSetResourceRef(ref));
    }
  }
  return { entities, removed };
}

/** Entity references of the components that ApplicationSets define. */
export function fleetComponentRefs(inventory: FleetInventory): string[] {
  return definedComponents(allApplicationSets(inventory));
}

/**
 * Builds the components that ApplicationSets define.
 * @param existing - what the catalog has by these references
 */
export function fleetComponents(
  inventory: FleetInventory,
  options: EntityOptions,
  existing: ReadonlyMap<string, Entity>,
): FleetEntities {
  return componentEntities(
    allApplicationSets(inventory),
    options.defaultOwner,
    existing,
  );
}

function allApplicationSets({ hubs }: FleetInventory) {
  return [...hubs.values()].flatMap(hub => [...hub.applicationSets.values()]);
}

/** With one hub, titles are unambiguous without its name. */
function titleSuffixOf({ hubs }: FleetInventory, hub: string): string {
  return hubs.size > 1 ? ` (${hub})` : '';
}

function clusterEntity(
  { hub, name, isHub, fields }: InventoryCluster,
  titleSuffix: string,
  { defaultOwner }: EntityOptions,
): Entity {
  const { metadata, annotations, spec } = mappedParts(fields);
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Resource',
    metadata: {
      name: clusterResourceName(hub, name),
      title: `${name}${titleSuffix}`,
      description: isHub
        ? `The hub ${hub} itself, as one of its managed clusters`
        : `Managed cluster of the hub ${hub}`,
      ...metadata,
      annotations: {
        ...annotations,
        ...locationAnnotations(`${hub}/${name}`),
      },
    },
    spec: {
      ...spec,
      type: CLUSTER_RESOURCE_TYPE,
      owner: ownerOf(fields?.owner) ?? defaultOwner,
    },
  };
}

function applicationSetEntity(
  set: InventoryApplicationSet,
  titleSuffix: string,
  clusterNames: readonly string[],
  options: EntityOptions,
): Entity {
  const { hub, namespace, name } = set.ref;
  const { linkedEntities = [], fields } = set;
  const { metadata, spec } = mappedParts({
    ...fields,
    links: [
      ...pageLink(set.ref, options),
      ...repositoryLink(set),
      ...(fields?.links ?? []),
    ],
  });
  const relations = linkedEntities.length + clusterNames.length;
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Resource',
    metadata: {
      name: applicationSetResourceName(set.ref),
      title: `${name}${titleSuffix}`,
      description: `ApplicationSet ${namespace}/${name} of the hub ${hub}, ${deliveredBy(
        set,
      )}`,
      ...metadata,
      annotations: {
        ...locationAnnotations(`${hub}/${namespace}/${name}`),
        [APPLICATION_SET_ENTITY_ANNOTATION]: formatApplicationSetAnnotation([
          set.ref,
        ]),
      },
    },
    spec: {
      ...spec,
      type: APPLICATION_SET_RESOURCE_TYPE,
      owner:
        ownerOf(set.annotations?.[COMPONENT_ANNOTATIONS.owner]) ??
        ownerOf(fields?.owner) ??
        options.defaultOwner,
      dependsOn:
        relations > MAX_RELATIONS
          ? []
          : clusterNames.map(cluster => clusterResourceRef(hub, cluster)),
      ...(linkedEntities.length > 0 && { dependencyOf: linkedEntities }),
    },
  };
}

function ownerOf(text: string | undefined): string | undefined {
  return text ? parseOwner(text) : undefined;
}

/** To the page of the ApplicationSet. */
function pageLink(
  { hub, namespace, name }: InventoryApplicationSet['ref'],
  { appUrl }: EntityOptions,
): FieldLink[] {
  return appUrl
    ? [
        {
          url: `${appUrl.replace(/\/$/, '')}/argocd-fleet/${hub}/${namespace}/${name}`,
          title: 'Fleet',
        },
      ]
    : [];
}

/** To the first repository that a browser can open. */
function repositoryLink({ sources }: InventoryApplicationSet): FieldLink[] {
  const url = repositoryUrl(sources);
  return url ? [{ url, title: 'Repository' }] : [];
}

/** Its Applications may be of several models. */
function deliveredBy({
  deliveryModel,
  deliveryModels = [],
}: InventoryApplicationSet): string {
  return deliveryModels.length > 1
    ? `in part ${deliveryModels
        .map(({ model }) => DELIVERED_BY[model])
        .join(', in part ')}`
    : DELIVERED_BY[deliveryModel];
}

/** Cluster names by ApplicationSet of one hub; sorted, so that an entity changes only when its clusters do. */
function clusterNamesBySet(
  clusters: Iterable<InventoryCluster>,
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
