import { createHubIdentity } from './hubIdentity';
import { HubClient, ListOptions } from '../kubernetes/client';
import { KubeObject } from '../kubernetes/objects';
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
} from '../kubernetes/resources';
import { FleetLogger } from '../runtime/logger';
import { Clock } from '../runtime/clock';
import { createInformer, Informer } from '../runtime/informer';

/** OCM's label on the objects of one managed cluster, such as its Lease. */
export const CLUSTER_NAME_LABEL = 'open-cluster-management.io/cluster-name';

/** The informers of every hub resource that the fleet reads: one watch for each resource. */
export type HubInformers = ReturnType<typeof createHubInformers>;

/** Creates the informers; `start()` starts them. */
export function createHubInformers(options: {
  client: HubClient;
  argocdNamespace: string;
  logger: FleetLogger;
  signal: AbortSignal;
}) {
  const { client, argocdNamespace, logger, signal } = options;
  const identity = createHubIdentity(client, logger, signal);
  const informers: Informer<KubeObject>[] = [];
  const watch = <T extends KubeObject>(
    resource: Resource<T>,
    listOptions?: ListOptions,
  ) => {
    const informer = createInformer({
      client,
      resource,
      listOptions,
      logger,
      signal,
      onRelist: versions => void identity.check(versions),
    });
    informers.push(informer as unknown as Informer<KubeObject>);
    return informer;
  };
  const argocd = { namespace: argocdNamespace };
  return {
    managedClusters: watch(managedClusters),
    leases: watch(leases, { labelSelector: CLUSTER_NAME_LABEL }),
    managedClusterSets: watch(managedClusterSets),
    managedClusterSetBindings: watch(managedClusterSetBindings),
    placements: watch(placements),
    placementDecisions: watch(placementDecisions),
    clusterSecrets: watch(secrets, {
      ...argocd,
      labelSelector: 'argocd.argoproj.io/secret-type=cluster',
    }),
    configMaps: watch(configMaps, argocd),
    appProjects: watch(appProjects, argocd),
    applicationSets: watch(applicationSets),
    applications: watch(applications),
    manifestWorks: watch(manifestWorks),
    /** Calls the listener after the hub was replaced or restored: objects may be missing. */
    onReset: identity.onReset,
    async start() {
      await identity.remember();
      informers.forEach(informer => informer.start());
    },
    /** Resolves when every informer has its first complete list. */
    waitForSync: () =>
      Promise.all(informers.map(({ synced }) => synced)).then(() => undefined),
  };
}

/** What every controller on the hub needs. */
export interface FleetContext {
  client: HubClient;
  hub: HubInformers;
  logger: FleetLogger;
  signal: AbortSignal;
  clock: Clock;
}
