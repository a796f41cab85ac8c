import type {
  ArgoApplicationSet,
  ApplicationSet,
  ApplicationSetDetail,
  ApplicationSetList,
  ApplicationSetRows,
  ClusterApplication,
  ClusterList,
  ControllerList,
  Finding,
  HubState,
  Inventory,
  ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import {
  AUTHORISING_RESOURCES,
  affectedApplicationSets,
  type FleetEvent,
} from '../fleet';
import { objectKey, parseKey } from '../kubernetes/client';
import { hubFindings } from '../model/findings';
import { NO_CATALOG_MAPPING } from '../model/views';
import { createAlarms } from './alarms';
import type { ApiHub } from './apiHub';
import { createClusterViews, type ClusterViews } from './clusterViews';
import { createDeployedSets, type DeployedSets } from './deployedSets';
import { createDetailViews, type DetailViews } from './detailViews';
import {
  createFleetInventory,
  NO_LINKS,
  type InventoryLinks,
  type InventoryMapping,
} from './fleetInventory';
import { createFleetSummaries, type FleetSummaries } from './fleetSummaries';
import { viewChange, type ViewChange } from './viewChange';

/** Builds the answers of the API from the caches, without any request to a hub. */
export interface FleetViews {
  /** Answers while a hub is being listed: its state says so, and numbers may be too low. */
  listApplicationSets(): Promise<ApplicationSetList>;
  // Undefined where the hub is not configured, or has no such object:
  getSummary(ref: ObjectRef): Promise<ApplicationSet | undefined>;
  /** @param since - `next` of an earlier answer; without it, every row */
  getApplicationSetRows(
    ref: ObjectRef,
    since: string | undefined,
  ): Promise<ApplicationSetRows | undefined>;
  getApplicationSet(ref: ObjectRef): Promise<ApplicationSetDetail | undefined>;
  getApplication(ref: ObjectRef): ClusterApplication | undefined;
  listClusters(): ClusterList;
  /** What is wrong with a cluster as a whole. */
  clusterFindings(hub: string, cluster: string): readonly Finding[];
  /** @param since - `next` of an earlier answer; without it, everything */
  getInventory(since: string | undefined): Promise<Inventory>;
  listControllers(): ControllerList;
  hubStates(): HubState[];
}

/** Is notified of changed answers: ApplicationSets, or the state of a hub. */
export interface ViewListener {
  /** @param before - the ApplicationSet as it was, where it changed itself or is gone; then it is the only one */
  applicationSetsChanged(
    refs: readonly ObjectRef[],
    before?: ArgoApplicationSet,
  ): void;
  hubChanged(hub: string): void;
}

interface HubViews {
  readonly hub: ApiHub;
  readonly summaries: FleetSummaries;
  readonly details: DetailViews;
  readonly deployedSets: DeployedSets;
  readonly clusters: ClusterViews;
}

/** Shown where no hub is configured, so that an empty page gives the reason. */
export const NO_HUB: HubState = {
  name: 'none',
  state: 'unreachable',
  message: 'No hub is configured: nothing can be shown.',
  findings: [hubFindings.noHub()],
};

/** Creates the views. Each is kept until an object changes that it depends on. */
export function createFleetViews(options: {
  readonly hubs: readonly ApiHub[];
  /** Without it, no entity of the catalog is linked. */
  readonly linkedEntities?: InventoryLinks;
  /** Default: entities say what they are. */
  readonly mapping?: InventoryMapping;
  readonly listener: ViewListener;
}): FleetViews {
  const { listener } = options;
  const hubs = new Map(
    options.hubs.map(hub => [hub.name, createHubViews(hub)]),
  );
  const inventory = createFleetInventory({
    hubs: [...hubs.values()],
    hubStates,
    linkedEntities: options.linkedEntities ?? NO_LINKS,
    mapping: options.mapping ?? NO_CATALOG_MAPPING,
  });

  function createHubViews(hub: ApiHub): HubViews {
    const { cache, name, removalState, resourceSources, sharedClusters } = hub;
    const deployedSets = createDeployedSets(cache);
    const alarms = createAlarms();
    const views: HubViews = {
      hub,
      summaries: createFleetSummaries({
        hub,
        onComplete: () => listener.hubChanged(name),
        alarms,
      }),
      details: createDetailViews({ hub, state: () => stateOf(hub), alarms }),
      deployedSets,
      clusters: createClusterViews({ hub, deployedSets }),
    };
    cache.onChange(event => {
      const changed = apply(views, viewChange(event, cache));
      publish(
        views,
        changedPages(event, changed, views),
        event.resource === 'applicationSets' ? event.before : undefined,
      );
    });
    const authorisationKnown = () =>
      AUTHORISING_RESOURCES.map(cache.isKnown).join();
    let known = authorisationKnown();
    cache.onStateChange(() => {
      views.details.invalidateAll();
      const now = authorisationKnown();
      if (now !== known) {
        known = now;
        // Whether a delivery is authorised is in every row, and no event of an object says so.
        publish(
          views,
          apply(views, {
            applications: [...cache.applications.list()],
            applicationSets: [...cache.applicationSets.keys()],
            replaced: [],
          }),
        );
      }
      listener.hubChanged(name);
    });
    removalState?.onChange(applicationSets =>
      publish(
        views,
        apply(views, {
          applications: applicationSets.flatMap(key =>
            cache.applications
              .by('applicationSet', key)
              .filter(({ metadata }) => metadata.deletionTimestamp),
          ),
          applicationSets,
          replaced: [],
        }),
      ),
    );
    resourceSources?.onChange(keys => {
      // Every detail shows the state of its hub, which includes the findings of the sources.
      views.details.invalidateAll();
      publishRows(views, keys);
      listener.hubChanged(name);
    });
    alarms.onDue(keys => publishRows(views, keys));
    sharedClusters?.onChange(() => {
      views.details.invalidateAll();
      listener.hubChanged(name);
    });
    return views;
  }

  /** @param keys - of Applications whose rows must be made again */
  function publishRows(views: HubViews, keys: readonly string[]) {
    const applications = keys.flatMap(
      key => views.hub.cache.applications.get(key) ?? [],
    );
    publish(
      views,
      apply(views, { applications, applicationSets: [], replaced: [] }),
    );
  }

  function publish(
    { hub }: HubViews,
    keys: readonly string[],
    before?: ArgoApplicationSet,
  ) {
    if (keys.length > 0) {
      listener.applicationSetsChanged(
        keys.map(key => ({ hub: hub.name, ...parseKey(key) })),
        before,
      );
    }
  }

  function hubStates(): HubState[] {
    return hubs.size > 0
      ? [...hubs.values()].map(({ hub }) => stateOf(hub))
      : [NO_HUB];
  }

  return {
    hubStates,
    async listApplicationSets() {
      // Read before the items: an object that is missing in the answer of a ready hub does not exist.
      const states = hubStates();
      const lists = await Promise.all(
        Array.from(hubs.values(), ({ summaries }) => summaries.list()),
      );
      return {
        items: lists.flatMap(({ items }) => items),
        hubs: states.map((state, index) =>
          lists[index]?.complete === false ? countingState(state) : state,
        ),
      };
    },
    getSummary: async ref => hubs.get(ref.hub)?.summaries.get(objectKey(ref)),
    getApplicationSetRows: async (ref, since) =>
      hubs.get(ref.hub)?.details.rowsSince(objectKey(ref), since),
    getApplicationSet: async ref =>
      hubs.get(ref.hub)?.details.withApplications(objectKey(ref)),
    getApplication: ref =>
      hubs.get(ref.hub)?.details.application(objectKey(ref)),
    listClusters: () => ({
      items: [...hubs.values()].flatMap(({ clusters }) => clusters.list()),
      hubs: hubStates(),
    }),
    clusterFindings: (hub, cluster) =>
      hubs.get(hub)?.clusters.findingsOf(cluster) ?? [],
    getInventory: inventory.changesSince,
    listControllers: () => ({
      items: [...hubs.values()].flatMap(({ hub }) =>
        hub.runners.map(runner => runner.status()),
      ),
      hubs: hubStates(),
    }),
  };
}

function stateOf({ cache, resourceSources, sharedClusters }: ApiHub): HubState {
  const state = cache.state();
  return {
    ...state,
    findings: [
      ...(state.findings ?? []),
      ...(resourceSources?.findings() ?? []),
      ...(sharedClusters?.findings() ?? []),
    ],
  };
}

/** The state of a hub whose summaries are not complete. */
function countingState(state: HubState): HubState {
  return state.state === 'ready'
    ? {
        ...state,
        state: 'starting',
        message:
          'The statuses of its Applications are being counted: numbers may be too low.',
      }
    : state;
}

function apply(
  { summaries, details }: HubViews,
  change: ViewChange,
): readonly string[] {
  details.apply(change);
  return summaries.apply(change);
}

/**
 * Keys of the ApplicationSets whose page is to be loaded again. After the status of a pulled Application has changed on
 * the hub its row is the same, but its timeline is not.
 */
function changedPages(
  event: FleetEvent,
  changed: readonly string[],
  { hub }: HubViews,
): readonly string[] {
  return event.resource === 'applications' && changed.length === 0
    ? affectedApplicationSets(event, hub.cache)
    : changed;
}
