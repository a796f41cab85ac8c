import type { LoggerService } from '@backstage/backend-plugin-api';
import type {
  HubState,
  KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import { objectKey, type KubernetesClient } from '../kubernetes/client';
import {
  createInformerCache,
  createStructurePool,
  type CacheEvent,
  type InformerCache,
  type ListWatchStart,
  type ReflectorTiming,
} from '../kubernetes/informer';
import {
  hubApplicationOf,
  isPullModel,
  owningApplicationSet,
} from '../model/delivery';
import { hubState } from './hubState';
import { FLEET_INDEXES } from './indexes';
import {
  FLEET_RESOURCES,
  NAMESPACED_SELECTORS,
  OPTIONAL_RESOURCES,
  type FleetObject,
  type FleetResource,
  type NamespacedResource,
  type StoredObject,
} from './resources';
import {
  readableOf,
  SHAPES,
  transformApplication,
  transformDeployment,
  transformObject,
  transformReport,
  transformReported,
  transformSecret,
  transformWork,
} from './transforms';

type FleetTypes = {
  readonly [Name in FleetResource]: {
    readonly object: FleetObject<Name>;
    readonly stored: StoredObject<Name>;
    readonly index: keyof (typeof FLEET_INDEXES)[Name] & string;
  };
};

/** A change of one object of one resource of a hub. */
export type FleetEvent = CacheEvent<FleetTypes>;

/** The resources of one hub, kept up to date by watches. */
export interface FleetCache extends InformerCache<
  FleetTypes,
  NamespacedResource
> {
  readonly hub: string;
  /** Namespaces of Argo CD that the configuration names; undefined where every namespace counts. */
  readonly argocdNamespaces?: ReadonlySet<string>;
  state(): HubState;
}

/** Creates the cache of a hub; it is empty until `run`. */
export function createFleetCache(options: {
  readonly hub: string;
  readonly client: KubernetesClient;
  readonly logger: LoggerService;
  readonly onListWatchStart?: (start: ListWatchStart) => void;
  readonly timing?: ReflectorTiming;
  /** Whether the certificate of the hub is not verified; by default it is. */
  readonly skipsTlsVerify?: () => boolean;
  /** Namespaces of Argo CD that the configuration names; by default every namespace counts. */
  readonly argocdNamespaces?: ReadonlySet<string>;
}): FleetCache {
  const {
    hub,
    argocdNamespaces,
    skipsTlsVerify = () => false,
    ...informerOptions
  } = options;
  const pool = createStructurePool();
  const small =
    (name: keyof typeof SHAPES) =>
    <T extends KubernetesObject>(object: T) =>
      pool.share(transformObject(readableOf(name, object)));
  const cache = createInformerCache<FleetTypes, NamespacedResource>({
    ...informerOptions,
    server: `hub "${hub}"`,
    resources: FLEET_RESOURCES,
    indexes: FLEET_INDEXES,
    namespaced: NAMESPACED_SELECTORS,
    optional: OPTIONAL_RESOURCES,
    transform: object => pool.share(transformObject(object)),
    transforms: {
      applications: application =>
        pool.share(
          transformApplication(readableOf('applications', application)),
        ),
      applicationSets: set =>
        pool.share(transformReported(readableOf('applicationSets', set))),
      clusters: cluster =>
        pool.share(transformReported(readableOf('clusters', cluster))),
      works: work => pool.share(transformWork(readableOf('works', work))),
      clusterSets: small('clusterSets'),
      clusterSetBindings: small('clusterSetBindings'),
      placements: small('placements'),
      decisions: small('decisions'),
      gitOpsClusters: small('gitOpsClusters'),
      managedServiceAccounts: small('managedServiceAccounts'),
      appProjects: small('appProjects'),
      rhacmDeployments: transformDeployment,
      reports: transformReport,
      // Not shared: the pool would keep parts of a Secret longer than the Secret itself.
      clusterSecrets: transformSecret,
    },
  });
  return {
    ...cache,
    hub,
    argocdNamespaces,
    state: () =>
      hubState(hub, cache.states(), skipsTlsVerify(), countUnreadable(cache)),
  };
}

/** By kind, where there are any; without those that a finding of their own names. */
function countUnreadable(
  cache: InformerCache<FleetTypes, NamespacedResource>,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [name, { kind }] of Object.entries(FLEET_RESOURCES)) {
    let count = 0;
    for (const key of cache[name as FleetResource].unreadable()) {
      count += hasOwnFinding(name, key, cache) ? 0 : 1;
    }
    if (count > 0) {
      counts[kind] = count;
    }
  }
  return counts;
}

/** Whether a finding names the object: in a row or list of ApplicationSets, or of propagation. */
function hasOwnFinding(
  name: string,
  key: string,
  {
    applications,
    applicationSets,
    works,
  }: InformerCache<FleetTypes, NamespacedResource>,
): boolean {
  switch (name) {
    case 'applicationSets':
      return true;
    case 'works': {
      const work = works.get(key);
      return work !== undefined && hubApplicationOf(work) !== undefined;
    }
    case 'applications': {
      const application = applications.get(key);
      const set = application && owningApplicationSet(application);
      return (
        (application !== undefined && isPullModel(application)) ||
        works.by('hubApplication', key).length > 0 ||
        (set !== undefined && applicationSets.get(objectKey(set)) !== undefined)
      );
    }
    default:
      return false;
  }
}
