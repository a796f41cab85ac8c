import { createHubIdentity } from './hubIdentity';
import { HubClient, Selection } from './kubernetes/client';
import { KubeObject } from './kubernetes/objects';
import {
  applications,
  applicationSets,
  appProjects,
  configMaps,
  leases,
  managedClusters,
  managedClusterSetBindings,
  managedClusterSets,
  manifestWorks,
  placementDecisions,
  placements,
  Resource,
  secrets,
} from './kubernetes/resources';
import { FleetLogger } from './logger';
import { Clock } from './runtime/clock';
import {
  createWatchedCollection,
  WatchedCollection,
} from './runtime/watchedCollection';

/** OCM's label on what belongs to one managed cluster, its lease among it. */
export const CLUSTER_NAME_LABEL = 'open-cluster-management.io/cluster-name';

/** Everything on the hub that some part of the fleet looks at, one watch for each resource. */
export type HubView = ReturnType<typeof createHubView>;

export function createHubView(options: {
  client: HubClient;
  argocdNamespace: string;
  logger: FleetLogger;
  signal: AbortSignal;
}) {
  const { client, argocdNamespace, logger, signal } = options;
  const identity = createHubIdentity(client, logger, signal);
  const watched: WatchedCollection<KubeObject>[] = [];
  const follow = <T extends KubeObject>(
    resource: Resource<T>,
    selection?: Selection,
  ) => {
    const collection = createWatchedCollection({
      client,
      resource,
      selection,
      logger,
      signal,
      onListedAgain: versions => void identity.check(versions),
    });
    watched.push(collection as unknown as WatchedCollection<KubeObject>);
    return collection;
  };
  const argocd = { namespace: argocdNamespace };
  return {
    managedClusters: follow(managedClusters),
    leases: follow(leases, { labelSelector: CLUSTER_NAME_LABEL }),
    managedClusterSets: follow(managedClusterSets),
    managedClusterSetBindings: follow(managedClusterSetBindings),
    placements: follow(placements),
    placementDecisions: follow(placementDecisions),
    clusterSecrets: follow(secrets, {
      ...argocd,
      labelSelector: 'argocd.argoproj.io/secret-type=cluster',
    }),
    configMaps: follow(configMaps, argocd),
    appProjects: follow(appProjects, argocd),
    applicationSets: follow(applicationSets),
    applications: follow(applications),
    manifestWorks: follow(manifestWorks),
    /** Told when the hub is another one, or was set back: what was there may be gone. */
    onReset: identity.onReset,
    async start() {
      await identity.learn();
      watched.forEach(collection => collection.start());
    },
    /** Resolves when every resource has its first complete list. */
    listed: () =>
      Promise.all(watched.map(({ ready }) => ready)).then(() => undefined),
  };
}

/** What every controller of the fleet is given. */
export interface FleetContext {
  client: HubClient;
  hub: HubView;
  logger: FleetLogger;
  signal: AbortSignal;
  clock: Clock;
}
