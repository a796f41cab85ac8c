// Links between the catalog and the hub: links.ts CLUSTERS APPLICATIONSETS COMPONENTS
import { setTimeout } from 'node:timers/promises';
import type { Entity } from '@backstage/catalog-model';
import type {
  ArgoApplicationSet,
  Inventory,
} from '../../plugins/argocd-fleet-common/src';
import {
  managedCluster,
  NAMESPACE,
  ownedBy,
  pullApplication,
  pullApplicationSet,
} from '../../plugins/argocd-fleet-backend/src/__testUtils__/objects';
import {
  createFleetLinks,
  createLinkedEntities,
  createLinkHub,
} from '../../plugins/argocd-fleet-backend/src/catalog';
import type { FleetCache } from '../../plugins/argocd-fleet-backend/src/fleet';
import { DEFAULT_LINK_WAYS } from '../../plugins/argocd-fleet-backend/src/model/links';
import { fleetResources } from '../../plugins/catalog-backend-module-argocd-fleet/src/fleetEntities';
import { updateFleetInventory } from '../../plugins/catalog-backend-module-argocd-fleet/src/fleetInventory';
import { createUnconnectedCache, stored } from '../unconnectedCache';
import { cpuMs } from '../controllers/usage';

const [clusters, applicationSets, components] = process.argv
  .slice(2)
  .map(Number);

/** Applications of each ApplicationSet. */
const SPREAD = 35;
const CHANGES = 200;
const PAGE = 500;
const MONOREPO = 'https://git.example.com/platform/apps';

/** Every set deploys from its folder of one repository, where paths matter most. */
function fill(cache: FleetCache): ArgoApplicationSet[] {
  for (let index = 0; index < clusters; index += 1) {
    cache.applyWriteResult(
      'clusters',
      stored(managedCluster(`cluster-${index}`)),
    );
  }
  return Array.from({ length: applicationSets }, (_, index) => {
    const name = `set-${index}`;
    const made = pullApplicationSet(name) as ArgoApplicationSet;
    const set = stored({
      ...made,
      metadata: { ...made.metadata, labels: { app: `app-${index}` } },
    });
    cache.applyWriteResult('applicationSets', set);
    for (let place = 0; place < SPREAD; place += 1) {
      const number = (index * SPREAD + place * 37) % clusters;
      const application = pullApplication(
        `c${number}-${name}`,
        `cluster-${number}`,
        {
          ...ownedBy(set),
          labels: { app: `app-${index}`, cluster: `c${number}` },
        },
      );
      cache.applyWriteResult(
        'applications',
        stored({
          ...application,
          spec: {
            ...application.spec,
            source: {
              repoURL: `${MONOREPO}.git`,
              path: `apps/app-${index}/overlays/prod`,
              targetRevision: 'main',
            },
          },
        }),
      );
    }
    return set;
  });
}

/** Components of each way in turn; every tenth has none. */
function entityOf(index: number): Entity {
  const set = index % applicationSets;
  const number = (set * SPREAD) % clusters;
  const annotations: Record<string, string> = [
    { 'argocd-fleet/applicationset': `${NAMESPACE}/set-${set}` },
    { 'argocd-fleet/selector': `app=app-${set}` },
    { 'argocd/app-name': `c${number}-set-${set}` },
    { 'argocd/app-selector': `app in (app-${set}, none), !x` },
    {},
  ][index % 5];
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: {
      name: `component-${index}`,
      namespace: 'default',
      annotations: {
        ...annotations,
        'backstage.io/source-location': `url:${MONOREPO}/src/branch/main/apps/${index % 10 === 9 ? 'none' : `app-${set}`}/`,
      },
    },
    spec: { type: 'service', owner: `group:default/team-${index % 50}` },
    relations: [
      { type: 'ownedBy', targetRef: `group:default/team-${index % 50}` },
    ],
  };
}

async function measured(work: () => unknown): Promise<number> {
  await setTimeout(50);
  const before = process.cpuUsage();
  await work();
  return cpuMs(before);
}

async function main() {
  const { cache } = createUnconnectedCache();
  const sets = fill(cache);
  let entities = Array.from({ length: components }, (_, index) =>
    entityOf(index),
  );
  const linked = createLinkedEntities({
    auth: { getOwnServiceCredentials: async () => ({}) } as never,
    catalog: {
      async *streamEntities() {
        for (let from = 0; from < entities.length; from += PAGE) {
          yield entities.slice(from, from + PAGE);
        }
      },
    } as never,
    links: createFleetLinks({
      hubs: [createLinkHub({ name: 'hub', cache, instances: [] })],
      ways: DEFAULT_LINK_WAYS,
    }),
    onCatalogChange() {},
  });
  const refOf = ({ metadata }: ArgoApplicationSet) => ({
    hub: 'hub',
    namespace: metadata.namespace ?? '',
    name: metadata.name,
  });
  /** How many links there are of each way. */
  const count = () => {
    const counts: Record<string, number> = {};
    for (const set of sets) {
      for (const { way } of linked.of(refOf(set))) {
        counts[way] = (counts[way] ?? 0) + 1;
      }
    }
    return counts;
  };
  let ways = {};
  const read = () => linked.task.fn(new AbortController().signal);
  const everything = await measured(async () => {
    await read();
    ways = count();
  });
  const unchanged = await measured(read);
  entities = entities.map((entity, index) =>
    index < CHANGES
      ? {
          ...entity,
          metadata: {
            ...entity.metadata,
            annotations: {
              ...entity.metadata.annotations,
              'argocd-fleet/applicationset': `${NAMESPACE}/set-${index + 1}`,
            },
          },
        }
      : entity,
  );
  const changedEntities = await measured(read);
  const changedSets = await measured(async () => {
    for (let index = 0; index < CHANGES; index += 1) {
      const set = sets[index];
      cache.applyWriteResult(
        'applicationSets',
        stored({
          ...set,
          metadata: {
            ...set.metadata,
            labels: { app: `app-${index + CHANGES}` },
          },
        }),
      );
      await linked.update();
    }
  });

  /** What the catalog module makes of an inventory. */
  const inventory = (withLinks: boolean): Inventory => ({
    full: true,
    next: '1',
    clusters: Array.from({ length: clusters }, (_, index) => ({
      hub: 'hub',
      name: `cluster-${index}`,
      isHub: false,
      applicationSets: Array.from({ length: 10 }, (__, set) => ({
        namespace: NAMESPACE,
        name: `set-${(index + set * 97) % applicationSets}`,
      })),
    })),
    applicationSets: sets.map(set => ({
      ref: refOf(set),
      deliveryModel: 'pull' as const,
      sources: [],
      ...(withLinks && {
        linkedEntities: linked.of(refOf(set)).map(({ entityRef }) => entityRef),
      }),
    })),
    removedClusters: [],
    removedApplicationSets: [],
    hubs: [{ name: 'hub', state: 'ready', unread: [] }],
  });
  const ingest = async (answer: Inventory) => {
    const times = [];
    for (let run = 0; run < 7; run += 1) {
      times.push(
        await measured(() =>
          fleetResources(updateFleetInventory(undefined, answer).inventory, {
            defaultOwner: 'group:default/platform',
          }),
        ),
      );
    }
    return times.sort((a, b) => a - b)[3];
  };
  const plain = await ingest(inventory(false));
  const related = await ingest(inventory(true));
  process.send?.({
    bench: {
      ways,
      everything,
      unchanged,
      changedEntity: (changedEntities - unchanged) / CHANGES,
      changedSet: changedSets / CHANGES,
      plain,
      related,
    },
  });
  process.disconnect?.();
}

main().catch(error => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
