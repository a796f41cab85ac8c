import type {
  CatalogFields,
  HubState,
  Inventory,
  InventoryApplicationSet,
  InventoryCluster,
} from 'backstage-plugin-argocd-fleet-common';
import { createYield } from '../async';
import type { LinkedEntities } from '../catalog';
import {
  applicationsOfChangedAgents,
  clusterDescriptionChanged,
  knownAgents,
  payloadChanged,
  type FleetEvent,
} from '../fleet';
import { objectKey, parseKey } from '../kubernetes/client';
import {
  isLocalCluster,
  owningApplicationSet,
  owningApplicationSets,
} from '../model/delivery';
import { sameJson } from '../model/json';
import {
  applicationSetComponent,
  applicationSetIdentity,
  clusterFields,
  mappedFields,
  type CatalogMapping,
} from '../model/views';
import type { ApiHub } from './apiHub';
import { createChangeLog } from './changeLog';
import type { DeployedSets } from './deployedSets';

/** Clusters and ApplicationSets without any status, and what changed of them. */
export interface FleetInventory {
  /** @param since - `next` of an earlier answer */
  changesSince(since: string | undefined): Promise<Inventory>;
}

type Item =
  | { readonly cluster: InventoryCluster }
  | { readonly applicationSet: InventoryApplicationSet };

/** What may have changed on a hub since the last request; made again by the next one. */
interface HubChanges {
  readonly hub: ApiHub;
  readonly deployedSets: DeployedSets;
  /** Names. */
  readonly clusters: Set<string>;
  /** `<namespace>/<name>`. */
  readonly applicationSets: Set<string>;
}

/** What the inventory needs of the links between ApplicationSets and the catalog. */
export type InventoryLinks = Pick<LinkedEntities, 'of' | 'onChange' | 'update'>;

/** What the entities say besides what they are, and where each hub's Argo CD has its web interface. */
export interface InventoryMapping extends CatalogMapping {
  readonly argocdUrls?: Readonly<Record<string, string | undefined>>;
}

/** Nothing is linked. */
export const NO_LINKS: InventoryLinks = {
  of: () => [],
  onChange() {},
  async update() {},
};

/** Entities that the entity of an ApplicationSet has relations to, those first that name it. */
const MAX_LINKED = 100;

/** Creates the inventory of all hubs. */
export function createFleetInventory(options: {
  readonly hubs: readonly {
    readonly hub: ApiHub;
    readonly deployedSets: DeployedSets;
  }[];
  readonly hubStates: () => HubState[];
  readonly linkedEntities: InventoryLinks;
  readonly mapping: InventoryMapping;
}): FleetInventory {
  const { linkedEntities, mapping } = options;
  const log = createChangeLog<Item>();
  const hubs = options.hubs.map(({ hub, deployedSets }): HubChanges => {
    const changes = {
      hub,
      deployedSets,
      clusters: new Set(hub.cache.clusters.keys()),
      applicationSets: new Set(hub.cache.applicationSets.keys()),
    };
    hub.cache.onChange(event => note(changes, event));
    deployedSets.onChange(cluster => changes.clusters.add(cluster));
    return changes;
  });
  linkedEntities.onChange(({ hub: name, namespace, name: set }) =>
    hubs
      .find(({ hub }) => hub.name === name)
      ?.applicationSets.add(objectKey({ namespace, name: set })),
  );

  function note(changes: HubChanges, event: FleetEvent) {
    switch (event.resource) {
      case 'clusters':
        if (clusterDescriptionChanged(event)) {
          changes.clusters.add(event.key);
        }
        break;
      case 'applicationSets':
        changes.applicationSets.add(event.key);
        break;
      case 'applications':
        // The delivery models and the sources of a set may be those of its Applications.
        if (payloadChanged(event)) {
          for (const application of [event.before, event.after]) {
            const owner = application && owningApplicationSet(application);
            if (owner) {
              changes.applicationSets.add(objectKey(owner));
            }
          }
        }
        break;
      case 'clusterSecrets':
        for (const owner of owningApplicationSets(
          applicationsOfChangedAgents(event, changes.hub.cache),
        )) {
          changes.applicationSets.add(objectKey(owner));
        }
        break;
      default:
    }
  }

  /** Makes what may have changed, and logs what did. */
  async function update({
    hub,
    deployedSets,
    clusters,
    applicationSets,
  }: HubChanges) {
    const yieldSometimes = createYield();
    // What changes meanwhile waits for the next request, or this one would not end while many Applications change.
    for (const name of [...clusters]) {
      if (clusters.delete(name)) {
        store(
          clusterKey(hub.name, name),
          clusterItem(hub, deployedSets, name, mapping),
        );
        await yieldSometimes();
      }
    }
    for (const key of [...applicationSets]) {
      if (applicationSets.delete(key)) {
        store(
          setKey(hub.name, key),
          applicationSetItem(hub, key, linkedEntities, mapping),
        );
        await yieldSometimes();
      }
    }
  }

  function store(key: string, item: Item | undefined) {
    if (!item) {
      log.delete(key);
    } else if (!sameJson(log.get(key), item)) {
      log.set(key, item);
    }
  }

  return {
    async changesSince(since) {
      // Read before the items: whatever is missing in a full answer about a ready hub does not exist.
      const states = options.hubStates();
      await linkedEntities.update();
      for (const hub of hubs) {
        await update(hub);
      }
      const { full, items, removed, token } = log.since(since);
      const names = removed.map(key => JSON.parse(key) as string[]);
      return {
        full,
        next: token,
        clusters: items.flatMap(item =>
          'cluster' in item ? item.cluster : [],
        ),
        applicationSets: items.flatMap(item =>
          'applicationSet' in item ? item.applicationSet : [],
        ),
        removedClusters: names.flatMap(([hub, name, ...set]) =>
          set.length > 0 ? [] : { hub, name },
        ),
        removedApplicationSets: names.flatMap(([hub, namespace, name]) =>
          name === undefined ? [] : { hub, namespace, name },
        ),
        hubs: states,
      };
    },
  };
}

function clusterItem(
  { name: hub, cache }: ApiHub,
  deployedSets: DeployedSets,
  name: string,
  mapping: InventoryMapping,
): Item | undefined {
  const cluster = cache.clusters.get(name);
  return (
    cluster && {
      cluster: {
        hub,
        name,
        isHub: isLocalCluster(cluster),
        applicationSets: [...deployedSets.of(name)],
        ...fieldsOf(clusterFields(cluster, mapping.clusters)),
      },
    }
  );
}

function fieldsOf(fields: CatalogFields): { fields?: CatalogFields } {
  return Object.keys(fields).length > 0 ? { fields } : {};
}

function applicationSetItem(
  { name: hub, cache, reader }: ApiHub,
  key: string,
  linkedEntities: InventoryLinks,
  mapping: InventoryMapping,
): Item | undefined {
  const applicationSet = cache.applicationSets.get(key);
  if (!applicationSet) {
    return undefined;
  }
  const { creationTimestamp } = applicationSet.metadata;
  const { component } = applicationSetComponent(
    applicationSet,
    reader.components,
  );
  const linked = linkedEntities
    .of({ hub, ...parseKey(key) })
    .slice(0, MAX_LINKED)
    .map(({ entityRef }) => entityRef);
  return {
    applicationSet: {
      ...applicationSetIdentity(
        {
          hub,
          applicationSet,
          firstApplication: reader.firstApplicationOf(applicationSet),
          agents: knownAgents(cache),
        },
        reader.modelsOf(applicationSet),
      ),
      ...(creationTimestamp && { createdAt: creationTimestamp }),
      ...(component && { component }),
      ...fieldsOf({
        ...mappedFields(applicationSet, mapping.applicationSets),
        ...argocdLink(mapping.argocdUrls?.[hub], applicationSet.metadata.name),
      }),
      ...(linked.length > 0 && { linkedEntities: linked }),
    },
  };
}

/** Argo CD's web interface has no page for an ApplicationSet: the list of Applications, searched by its name. */
function argocdLink(
  argocdUrl: string | undefined,
  name: string,
): Pick<CatalogFields, 'links'> {
  return argocdUrl
    ? {
        links: [
          {
            url: `${argocdUrl.replace(/\/$/, '')}/applications?search=${name}`,
            title: 'Argo CD',
          },
        ],
      }
    : {};
}

/** Two elements are a cluster, three an ApplicationSet. */
function clusterKey(hub: string, name: string): string {
  return JSON.stringify([hub, name]);
}

function setKey(hub: string, key: string): string {
  const { namespace, name } = parseKey(key);
  return JSON.stringify([hub, namespace, name]);
}
