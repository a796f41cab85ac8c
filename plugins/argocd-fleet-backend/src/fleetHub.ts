import type { LoggerService } from '@backstage/backend-plugin-api';
import { MANAGED_BY } from 'backstage-plugin-argocd-fleet-common';
import type { ResourceSource } from 'backstage-plugin-argocd-fleet-node';
import type { ControllerName, FleetConfig, HubConfig } from './config';
import { createAggregation } from './controllers/aggregation';
import { createApplicationStatus } from './controllers/applicationStatus';
import {
  createClusterImport,
  createPermittedAccounts,
  importPermissions,
  watchArgoNamespaces,
} from './controllers/clusterImport';
import {
  createPropagation,
  createWorkFields,
  createWorkRemovals,
} from './controllers/propagation';
import { createResourceSync } from './controllers/resourceSync';
import {
  createMemoryImportAccountStore,
  createMemoryRemovalStore,
  type AnswerStore,
  type FleetRecords,
  type ImportAccountStore,
  type RemovalStore,
} from './database';
import {
  createFleetReader,
  createFleetCache,
  createCompetingController,
  createRemovalState,
  createSharedClusters,
  type ClaimsRegistry,
  type FleetCache,
  type FleetReader,
  type RemovalState,
  type SharedClusters,
} from './fleet';
import {
  createHttpClient,
  createConnector,
  createRateLimiter,
  createVersionedClient,
  type KubernetesClient,
} from './kubernetes/client';
import type { RemovalTimes } from './model/removal';
import type { HubWrites } from './model/writes';
import { createControllerRunner, type ControllerRunner } from './runtime';
import { createResourceSources, type ResourceSources } from './sources';
import { createSearchSource } from './sources/search';
import type { HubTelemetry } from './telemetry';

/**
 * Everything that belongs to one hub. Hubs share nothing but the registry of their claims, in memory, so that a failing
 * one cannot affect another.
 */
export interface FleetHub {
  readonly name: string;
  readonly client: KubernetesClient;
  readonly cache: FleetCache;
  readonly reader: FleetReader;
  /** What the portal may write there for its users. */
  readonly writes: HubWrites;
  readonly runners: readonly ControllerRunner[];
  /** What is decided about the deletion of works. */
  readonly removalState: RemovalState;
  readonly resourceSources?: ResourceSources;
  /** Where the claims of other hubs are known. */
  readonly sharedClusters?: SharedClusters;
}

const EVERYWHERE: ReadonlySet<string> = new Set(['']);

/** Their writes deliver and report single Applications, so reports wait for them, and in a burst the database too. */
const URGENT_WRITERS: ReadonlySet<string> = new Set<ControllerName>([
  'propagation',
  'applicationStatus',
]);

/** Their writes a second from which on it is a burst: many more than a fleet of thousands of clusters makes every day. */
const BURST_WRITES = 75;

/** Composes a hub; no request is sent to it until its cache runs. */
export function createFleetHub(options: {
  readonly hub: HubConfig;
  readonly config: FleetConfig;
  readonly logger: LoggerService;
  readonly telemetry?: HubTelemetry;
  /** Where the state of the fleet is recorded; if left out, nothing is recorded. */
  readonly records?: FleetRecords;
  /** Sources that modules added, and the store of all sources' answers; if left out, no source is used. */
  readonly sources?: {
    readonly added: readonly ResourceSource[];
    readonly store: AnswerStore;
  };
  /** The claims of all configured hubs. */
  readonly claims?: ClaimsRegistry;
  /** Where it is stored what decides about deletions; if left out, it lasts as long as the hub. */
  readonly removals?: RemovalStore;
  /** Where it is stored which ManagedServiceAccounts were in use; if left out, it lasts as long as the hub. */
  readonly importAccounts?: ImportAccountStore;
  /** How long decisions about a work wait, where it is not as long as for a real hub. */
  readonly removalTimes?: Partial<RemovalTimes>;
  /** Called when the status of a controller has changed. */
  readonly onControllerChange: () => void;
}): FleetHub {
  const { config, telemetry, records, sources, claims, onControllerChange } =
    options;
  const { name, access, rateLimit, modes, search, releaseHeldBefore } =
    options.hub;
  const { addresses, rhacmNamespace } = options.hub;
  const { propagation, components, clusterImport } = options.hub;
  const writes = writesOf(options.hub, config);
  const logger = options.logger.child({ hub: name });
  if ('url' in access && access.skipTLSVerify) {
    logger.warn(
      `The certificate of hub "${name}" (${access.url}) is not verified (skipTLSVerify): anyone on the network path can read our token and impersonate the hub. Set caData or caFile instead`,
    );
  }
  const connector = createConnector({ server: `hub "${name}"`, access });
  const client = createVersionedClient(
    createHttpClient({
      server: `hub "${name}"`,
      connector,
      fieldManager: MANAGED_BY,
      rateLimiter: createRateLimiter(rateLimit),
      onRequestCompleted: telemetry?.onRequestCompleted,
    }),
  );
  const cache = createFleetCache({
    hub: name,
    client,
    logger,
    onListWatchStart: telemetry?.onListWatchStart,
    skipsTlsVerify: () => connector.skipsTlsVerify,
    argocdNamespaces: new Set([
      propagation.argocdNamespace,
      ...Object.keys(clusterImport.argocdNamespaces),
    ]),
  });
  const sharedClusters = claims && createSharedClusters(cache, claims);
  const fields = createWorkFields({
    hub: name,
    client,
    propagation,
  });
  cache.watchNamespaces('rhacmDeployments', EVERYWHERE);
  cache.watchNamespaces('rhacmConfigMaps', new Set([rhacmNamespace]));
  if (propagation.includeAppProject) {
    const { argocdNamespace } = propagation;
    cache.watchNamespaces('appProjects', new Set([argocdNamespace]));
  }
  const resourceSources =
    sources &&
    createResourceSources({
      cache,
      sources: [
        ...(search ? [createSearchSource(name, search)] : []),
        ...sources.added,
      ],
      store: sources.store,
      logger,
      onRound: telemetry?.onRound,
    });
  const store = options.removals ?? createMemoryRemovalStore();
  const removalState = createRemovalState(name, store);
  const reader = createFleetReader({
    cache,
    propagation: fields.options,
    components,
    sourced: resourceSources?.detailsOf,
    removals: removalState,
    writes,
  });
  const permissions = importPermissions(clusterImport);
  if (
    (modes.clusterImport ?? config.controllers.clusterImport.mode) !== 'off'
  ) {
    watchArgoNamespaces(cache, permissions);
  }
  const competitor = createCompetingController({ cache, rhacmNamespace });
  const removals = createWorkRemovals({
    cache,
    client,
    store,
    logger,
    releaseHeldBefore,
    handsOver: () => fields.options().conditionRules,
    times: options.removalTimes,
  });
  let runners: readonly ControllerRunner[] = [];
  const urgentWriters = () =>
    runners.filter(({ controller }) => URGENT_WRITERS.has(controller));
  const controllers = {
    clusterImport: createClusterImport({
      cache,
      client,
      permissions,
      accounts: createPermittedAccounts({
        cache,
        store: options.importAccounts ?? createMemoryImportAccountStore(),
        permissions,
        configured: clusterImport.managedServiceAccounts,
      }),
      async hubUrls() {
        const { origin, basePath } = await connector.connect();
        return [`${origin}${basePath}`, ...addresses];
      },
    }),
    propagation: createPropagation({
      cache,
      reader,
      fields,
      competitor,
      removals,
    }),
    applicationStatus: createApplicationStatus({
      cache,
      defaultDestinationNamespace: propagation.defaultDestinationNamespace,
    }),
    aggregation: createAggregation({
      cache,
      reader,
      client,
      competitor,
      details: resourceSources,
      hasUrgentWrites: () => urgentWriters().some(({ isBusy }) => isBusy),
    }),
    ...(records && {
      resourceSync: createResourceSync({
        cache,
        reader,
        records,
        details: resourceSources,
        onLag: telemetry?.onLag,
        hasUrgentWork: () =>
          urgentWriters().some(
            ({ writesPerSecond }) => writesPerSecond >= BURST_WRITES,
          ),
      }),
    }),
  };
  runners = Object.values(controllers).map(controller => {
    const controllerName = controller.name as ControllerName;
    const { mode, timing, concurrency } = config.controllers[controllerName];
    return createControllerRunner({
      controller,
      cache,
      client,
      mode: modes[controllerName] ?? mode,
      timing,
      concurrency,
      telemetry: telemetry?.controller(controller.name),
      logger: logger.child({ controller: controller.name }),
      onStatusChange: onControllerChange,
    });
  });
  return {
    name,
    client,
    cache,
    reader,
    writes,
    resourceSources,
    sharedClusters,
    runners,
    removalState,
  };
}

/**
 * Portal users have the hub's Applications delivered, so the mode of propagation holds for their writes too: where that
 * controller may change nothing, neither may they.
 */
function writesOf(
  { name, modes, writes, propagation: { argocdNamespace } }: HubConfig,
  { controllers }: FleetConfig,
): HubWrites {
  const mode = modes.propagation ?? controllers.propagation.mode;
  return {
    ...writes,
    argocdNamespace,
    ...(mode !== 'manage' && {
      refusal: `The portal may write nothing on the hub "${name}": its propagation controller has the mode ${mode}, set by ${
        modes.propagation
          ? writes.key.replace(/writes$/, 'controllers.propagation.mode')
          : 'argocdFleet.controllers.propagation.mode'
      }; only manage allows it`,
    }),
  };
}
