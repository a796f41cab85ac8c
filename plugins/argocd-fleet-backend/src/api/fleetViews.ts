import type {
  ApplicationSet,
  ApplicationSetDetail,
  ApplicationSetList,
  Cluster,
  ClusterList,
  ControllerList,
  HubState,
  NamespacedName,
  ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import {
  affectedApplicationSets,
  type FleetCache,
  type FleetEvent,
} from '../fleet';
import { objectKey, parseKey } from '../kubernetes/client';
import {
  clusterState,
  isLocalCluster,
  owningApplicationSets,
} from '../model/delivery';
import { createResourceReader } from '../model/feedback';
import { hubFindings } from '../model/findings';
import { applicationSetDetail, applicationSetView } from '../model/views';
import type { ApiHub } from './apiHub';

/** The answers of the API, out of the caches: no request reaches a hub. */
export interface FleetViews {
  listApplicationSets(): ApplicationSetList;
  /** Undefined where the hub does not have it, or is not configured. */
  getApplicationSet(ref: ObjectRef): ApplicationSetDetail | undefined;
  listClusters(): ClusterList;
  listControllers(): ControllerList;
  hubStates(): HubState[];
}

/** What has changed in the answers: ApplicationSets, or the state of whole hubs. */
export interface ViewListener {
  applicationSetsChanged(refs: readonly ObjectRef[]): void;
  hubChanged(hub: string): void;
}

interface HubViews {
  readonly hub: ApiHub;
  readonly list: Map<string, ApplicationSet>;
  readonly details: Map<string, ApplicationSetDetail>;
}

/** Shown where no hub is configured, so that an empty page says why it is empty. */
const NO_HUB: HubState = {
  name: 'none',
  state: 'unreachable',
  message: 'No hub is configured: nothing can be shown.',
  findings: [hubFindings.noHub()],
};

/** Creates the views. What was worked out for a set is kept until something changes that it depends on. */
export function createFleetViews(options: {
  readonly hubs: readonly ApiHub[];
  readonly listener: ViewListener;
}): FleetViews {
  const { listener } = options;
  const resourcesIn = createResourceReader();
  const hubs = new Map<string, HubViews>(
    options.hubs.map(hub => [
      hub.name,
      { hub, list: new Map(), details: new Map() },
    ]),
  );

  for (const views of hubs.values()) {
    const { cache, name } = views.hub;
    cache.onChange(change => {
      if (change.resource !== 'reports') {
        forget(views, viewsConcernedBy(change, cache));
      }
    });
    cache.onStateChange(() => {
      views.details.clear();
      listener.hubChanged(name);
    });
    views.hub.resourceSources?.onChange(applications => {
      // Every detail shows the state of its hub, and that shows what is not right about the sources.
      views.details.clear();
      const changed = applications.flatMap(
        key => cache.applications.get(key) ?? [],
      );
      forget(views, owningApplicationSets(changed).map(objectKey));
      listener.hubChanged(name);
    });
  }

  function forget(views: HubViews, keys: readonly string[]) {
    for (const key of keys) {
      views.list.delete(key);
      views.details.delete(key);
    }
    if (keys.length > 0) {
      listener.applicationSetsChanged(
        keys.map(key => refOf(views.hub.name, key)),
      );
    }
  }

  function stateOf({ cache, resourceSources }: ApiHub): HubState {
    const state = cache.state();
    return {
      ...state,
      findings: [
        ...(state.findings ?? []),
        ...(resourceSources?.findings() ?? []),
      ],
    };
  }

  function hubStates(): HubState[] {
    return hubs.size > 0
      ? [...hubs.values()].map(({ hub }) => stateOf(hub))
      : [NO_HUB];
  }

  function listOf({ hub, list }: HubViews): ApplicationSet[] {
    return [...hub.cache.applicationSets.keys()].sort().map(key => {
      const applicationSet = hub.cache.applicationSets.get(key)!;
      const view =
        list.get(key) ??
        applicationSetView(
          hub.reader.fleetApplicationSet(applicationSet),
          resourcesIn,
        );
      list.set(key, view);
      return view;
    });
  }

  return {
    hubStates,
    listApplicationSets: () => ({
      items: [...hubs.values()].flatMap(listOf),
      hubs: hubStates(),
    }),
    getApplicationSet({ hub: hubName, namespace, name }) {
      const views = hubs.get(hubName);
      const key = objectKey({ namespace, name });
      const applicationSet = views?.hub.cache.applicationSets.get(key);
      if (!views || !applicationSet) {
        return undefined;
      }
      const known = views.details.get(key);
      if (known) {
        return known;
      }
      const { hub } = views;
      const detail = applicationSetDetail(
        hub.reader.fleetApplicationSet(applicationSet),
        stateOf(hub),
        resourcesIn,
      );
      views.details.set(key, detail);
      return detail;
    },
    listClusters: () => ({
      items: [...hubs.values()].flatMap(({ hub }) => clustersOf(hub)),
      hubs: hubStates(),
    }),
    listControllers: () => ({
      items: [...hubs.values()].flatMap(({ hub }) =>
        hub.runners.map(runner => runner.status()),
      ),
      hubs: hubStates(),
    }),
  };
}

/** Keys of the sets whose page changes: those whose report may, and those that a Placement feeds. */
function viewsConcernedBy(
  change: FleetEvent,
  cache: FleetCache,
): readonly string[] {
  if (change.resource !== 'placements' && change.resource !== 'decisions') {
    return affectedApplicationSets(change, cache);
  }
  const { namespace } = refOf(cache.hub, change.key);
  return [...cache.applicationSets.keys()].filter(key =>
    key.startsWith(`${namespace}/`),
  );
}

function clustersOf({ cache, name: hub }: ApiHub): Cluster[] {
  return [...cache.clusters.keys()].sort().map(name => {
    const cluster = cache.clusters.get(name)!;
    return {
      ...clusterState(name, cluster),
      hub,
      version: cluster.status?.version?.kubernetes,
      isHub: isLocalCluster(cluster),
      createdAt: cluster.metadata.creationTimestamp,
      applicationSets: applicationSetsOn(cache, name),
    };
  });
}

function applicationSetsOn(
  cache: FleetCache,
  cluster: string,
): NamespacedName[] {
  const owners = owningApplicationSets(
    cache.applications.by('cluster', cluster),
  );
  return owners.sort((a, b) => (objectKey(a) < objectKey(b) ? -1 : 1));
}

function refOf(hub: string, key: string): ObjectRef {
  return { hub, ...parseKey(key) };
}
